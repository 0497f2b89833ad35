package dev.sluice.load.mapping;

import java.util.UUID;

/** Look-ups: the address of the row that is meant, by its id or by an alternate key. */
final class Lookups implements Converter {
  private final String entitySet;
  private final Mapping.Lookup lookup;
  private final Converter key;
  private final StringBuilder scratch = new StringBuilder();

  /**
   * Look-ups of a column.
   *
   * @param numbers reads the values of a key that holds numbers
   */
  Lookups(String entitySet, Mapping.Lookup lookup, Converter numbers) {
    this.entitySet = entitySet;
    this.lookup = lookup;
    this.key = lookup.number() ? numbers : new Texts(0);
  }

  @Override
  public boolean write(String value, StringBuilder json) {
    if (lookup.by().isEmpty()) {
      UUID id = Ids.parsed(value);
      json.append("\"/").append(entitySet).append('(').append(id).append(")\"");
      return id != null;
    }
    scratch.setLength(0);
    if (!key.write(value, scratch)) {
      return false;
    }
    String predicate = lookup.number() ? scratch.toString() : Predicate.quoted(value);
    return Texts.quote("/%s(%s=%s)".formatted(entitySet, lookup.by().get(), predicate), json);
  }

  @Override
  public String expected(String value) {
    return lookup.by().isEmpty() ? Ids.EXPECTED : key.expected(value);
  }
}

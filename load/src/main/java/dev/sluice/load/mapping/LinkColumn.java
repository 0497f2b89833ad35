package dev.sluice.load.mapping;

import static java.util.Objects.requireNonNull;

/**
 * A look-up that means rows of the same input. Immutable.
 *
 * @param to the table's column
 * @param list the number of the list of names in which its values are looked up
 * @param listed the input's column that these names are taken from
 * @param entitySet the table's name in addresses
 * @param navigation the property that binds it
 */
public record LinkColumn(String to, int list, String listed, String entitySet, String navigation) {
  public LinkColumn {
    requireNonNull(to, "to");
    requireNonNull(listed, "listed");
    requireNonNull(entitySet, "entitySet");
    requireNonNull(navigation, "navigation");
  }

  /**
   * The member of a record that links it to a row.
   *
   * @param predicate what stands between the parentheses of that row's address
   */
  public String member(String predicate) {
    StringBuilder json = new StringBuilder();
    json.append('"').append(navigation).append("@odata.bind\":");
    if (!Texts.quote("/%s(%s)".formatted(entitySet, predicate), json)) {
      throw new IllegalArgumentException("the address of a row has characters that none can have");
    }
    return json.toString();
  }
}

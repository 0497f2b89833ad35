package dev.sluice.simulator.dataverse.odata;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.store.RowKey;
import dev.sluice.simulator.dataverse.store.Schema;
import dev.sluice.simulator.dataverse.store.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a request goes, below {@code /api/data/v9.2/}.
 *
 * @param first the first segment as it is, without its parentheses
 * @param arguments what its parentheses hold; null without any
 * @param rest the segments that follow, decoded
 */
public record ResourceAddress(String first, @Nullable String arguments, List<String> rest) {

  /** Takes an encoded path apart. */
  public static ResourceAddress parse(String path) throws WebApiException {
    List<String> segments = new ArrayList<>();
    for (String segment : path.split("/", -1)) {
      segments.add(PercentText.decode(segment, false));
    }
    if (segments.size() > 1 && segments.getLast().isEmpty()) {
      segments.removeLast();
    }
    String first = segments.removeFirst();
    int open = first.indexOf('(');
    if (open < 0) {
      return new ResourceAddress(first, null, segments);
    }
    if (!first.endsWith(")")) {
      throw Errors.badRequest("Bad Request - Error in query syntax.");
    }
    return new ResourceAddress(
        first.substring(0, open), first.substring(open + 1, first.length() - 1), segments);
  }

  /** The row of a table that its parentheses name; null without parentheses. */
  public @Nullable RowKey key(TableSchema table) throws WebApiException {
    return arguments == null ? null : Keys.parse(table, arguments);
  }

  /**
   * A row in whatever form a body may name it: {@code /contacts(…)}, without the slash, as a whole
   * address, or by a content id.
   *
   * @param schema to find the table in
   * @param expected the table that must be meant
   */
  public static RowKey reference(Schema schema, TableSchema expected, String text)
      throws WebApiException {
    if (text.startsWith("$")) {
      return new RowKey.ByContent(text.substring(1));
    }
    String last = text.substring(slashBefore(text) + 1);
    ResourceAddress address = parse(last);
    TableSchema table = schema.addressed(address.first());
    RowKey key = table == null ? null : address.key(table);
    if (table == null || key == null) {
      throw Errors.unknownSegment(address.first());
    }
    if (!table.name().equals(expected.name())) {
      throw Errors.payload(
          expected.setName(),
          "A '%s' was bound where a '%s' is expected.".formatted(table.name(), expected.name()));
    }
    return key;
  }

  private static int slashBefore(String text) {
    int open = text.indexOf('(');
    return text.lastIndexOf('/', open < 0 ? text.length() : open);
  }
}

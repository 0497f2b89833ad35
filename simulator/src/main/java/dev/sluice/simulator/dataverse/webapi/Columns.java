package dev.sluice.simulator.dataverse.webapi;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.odata.Json;
import dev.sluice.simulator.dataverse.store.TableSchema;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/** Turns requests about one column into rows that say something of that column only. */
final class Columns {
  private Columns() {}

  /** A row that empties a column. */
  static byte[] emptied(String property) {
    return Json.bytes(
        out -> {
          out.writeStartObject();
          out.writeNullProperty(property);
          out.writeEndObject();
        });
  }

  /** A row with the value of {@code {"value": …}} for a column. */
  static byte[] renamed(byte[] body, TableSchema table, String property) throws WebApiException {
    return rewritten(body, table, "value", property);
  }

  /** A row that binds a lookup to the address of {@code {"@odata.id": …}}. */
  static byte[] bound(byte[] body, TableSchema table, String property) throws WebApiException {
    return rewritten(body, table, "@odata.id", property + "@odata.bind");
  }

  private static byte[] rewritten(byte[] body, TableSchema table, String from, String to)
      throws WebApiException {
    try (JsonParser in = Json.parser(body)) {
      in.nextToken();
      for (String name = in.nextName(); name != null; name = in.nextName()) {
        in.nextToken();
        if (name.equals(from)) {
          return Json.bytes(
              out -> {
                out.writeStartObject();
                out.writeName(to);
                out.copyCurrentEvent(in);
                out.writeEndObject();
              });
        }
        in.skipChildren();
      }
    } catch (JacksonException e) {
      throw Errors.payload(table.setName(), "Invalid JSON. " + e.getOriginalMessage());
    }
    throw Errors.payload(table.setName(), "A property named '%s' was expected.".formatted(from));
  }
}

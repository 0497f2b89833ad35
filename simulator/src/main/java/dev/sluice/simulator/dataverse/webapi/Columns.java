package dev.sluice.simulator.dataverse.webapi;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.odata.Json;
import dev.sluice.simulator.dataverse.store.TableSchema;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

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
    return found(
        body,
        table,
        "value",
        in ->
            Json.bytes(
                out -> {
                  out.writeStartObject();
                  out.writeName(property);
                  out.copyCurrentEvent(in);
                  out.writeEndObject();
                }));
  }

  /** The address in {@code {"@odata.id": …}}. */
  static String reference(byte[] body, TableSchema table) throws WebApiException {
    String id =
        found(
            body,
            table,
            "@odata.id",
            in -> in.currentToken() == JsonToken.VALUE_STRING ? in.getString() : "");
    if (id.isEmpty()) {
      throw Errors.payload(
          table.setName(), "The value of '@odata.id' must be the address of a row.");
    }
    return id;
  }

  private static <T> T found(
      byte[] body, TableSchema table, String wanted, Function<JsonParser, T> use)
      throws WebApiException {
    try (JsonParser in = Json.parser(body)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw Errors.payload(table.setName(), "Invalid JSON. An object was expected.");
      }
      for (String name = in.nextName(); name != null; name = in.nextName()) {
        in.nextToken();
        if (name.equals(wanted)) {
          return use.apply(in);
        }
        in.skipChildren();
      }
    } catch (JacksonException e) {
      throw Errors.payload(table.setName(), "Invalid JSON. " + Json.reason(e));
    }
    throw Errors.payload(table.setName(), "A property named '%s' was expected.".formatted(wanted));
  }
}

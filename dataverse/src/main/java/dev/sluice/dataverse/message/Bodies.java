package dev.sluice.dataverse.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.dataverse.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/** Writes what messages carry. Columns are JSON already, and are put together as they are. */
final class Bodies {
  private static final String LINE = "\r\n";
  private static final int OVERHEAD = 160;

  private Bodies() {}

  /** All items as the targets of a bulk message. */
  static byte[] targets(Table table, Operation operation, List<Item> items) {
    String start = "{\"@odata.type\":\"Microsoft.Dynamics.CRM." + table.logicalName() + "\"";
    StringBuilder json = new StringBuilder(capacity(items)).append("{\"Targets\":[");
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      json.append(i == 0 ? "" : ",").append(start);
      switch (item.key()) {
        case RecordKey.Id id -> key(json.append(','), table, id);
        case RecordKey.Alternate alternate ->
            json.append(",\"@odata.id\":").append(quoted(alternate.address(table)));
        case null -> {} // the service makes one
      }
      if (operation != Operation.DELETE && !item.columns().isEmpty()) {
        json.append(',').append(item.columns());
      }
      json.append('}');
    }
    return json.append("]}").toString().getBytes(UTF_8);
  }

  /** Writes a primary key as members of an object. */
  static void key(StringBuilder json, Table table, RecordKey.Id key) {
    UUID id = key.id();
    json.append('"').append(table.primaryId()).append("\":\"").append(id).append('"');
    String partition = key.partition();
    if (partition != null) {
      json.append(",\"partitionid\":").append(quoted(partition));
    }
  }

  /**
   * All items as requests of a batch, each by itself.
   *
   * @param path below which addresses are
   * @param connection headers of every part, names and values in turn
   */
  static byte[] batch(
      String boundary,
      String path,
      Table table,
      Operation operation,
      List<Item> items,
      List<String> connection,
      MessageOptions options) {
    StringBuilder headers = new StringBuilder();
    List<String> own = new ArrayList<>(connection);
    own.addAll(options.headers());
    for (int i = 0; i < own.size(); i += 2) {
      headers.append(own.get(i)).append(": ").append(own.get(i + 1)).append(LINE);
    }
    String query = options.query();
    StringBuilder text = new StringBuilder(capacity(items) + items.size() * 4 * OVERHEAD);
    for (Item item : items) {
      text.append("--").append(boundary).append(LINE);
      text.append("Content-Type: application/http").append(LINE);
      text.append("Content-Transfer-Encoding: binary").append(LINE).append(LINE);
      part(text, path, table, operation, item, query, headers);
    }
    return text.append("--").append(boundary).append("--").append(LINE).toString().getBytes(UTF_8);
  }

  private static void part(
      StringBuilder text,
      String path,
      Table table,
      Operation operation,
      Item item,
      String query,
      CharSequence headers) {
    RecordKey key = item.key();
    String address =
        operation == Operation.CREATE || key == null ? table.entitySet() : key.address(table);
    text.append(
            switch (operation) {
              case CREATE -> "POST ";
              case UPDATE, UPSERT -> "PATCH ";
              case DELETE -> "DELETE ";
            })
        .append(path)
        .append(address)
        .append(query)
        .append(" HTTP/1.1")
        .append(LINE)
        .append(headers);
    if (operation == Operation.UPDATE) {
      text.append("If-Match: *").append(LINE);
    }
    if (operation == Operation.DELETE) {
      text.append(LINE).append(LINE);
      return;
    }
    text.append("Content-Type: application/json; type=entry").append(LINE).append(LINE);
    if (operation == Operation.CREATE) {
      text.append(item.json(table)).append(LINE);
    } else {
      text.append('{').append(item.columns()).append('}').append(LINE);
    }
  }

  private static String quoted(String text) {
    return JsonMapper.shared().writeValueAsString(text);
  }

  private static int capacity(List<Item> items) {
    long length = OVERHEAD;
    for (Item item : items) {
      length += item.columns().length() + OVERHEAD;
    }
    return (int) Math.min(length, 1 << 30);
  }
}

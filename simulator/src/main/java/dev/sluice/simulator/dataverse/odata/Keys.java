package dev.sluice.simulator.dataverse.odata;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.store.AlternateKey;
import dev.sluice.simulator.dataverse.store.Column;
import dev.sluice.simulator.dataverse.store.RowKey;
import dev.sluice.simulator.dataverse.store.TableSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** How an address names a row: the part in parentheses. */
final class Keys {
  private Keys() {}

  /** The row that the text between the parentheses names. */
  static RowKey parse(TableSchema table, String inside) throws WebApiException {
    String text = inside.strip();
    if (text.indexOf('=') < 0) {
      return RowKey.of(id(table, text));
    }
    Map<String, String> parts = parts(table, text);
    String id = parts.get(table.idName());
    if (id != null) {
      String partition = parts.get("partitionid");
      if (parts.size() > 2 || (parts.size() == 2 && (partition == null || !table.elastic()))) {
        throw Errors.unknownKey(table.name());
      }
      return new RowKey.ById(id(table, id), partition == null ? null : text(table, partition));
    }
    return alternate(table, parts);
  }

  private static RowKey alternate(TableSchema table, Map<String, String> parts)
      throws WebApiException {
    for (AlternateKey key : table.keys()) {
      List<Object> values = new ArrayList<>();
      for (int position : key.columns()) {
        Column column = table.columns().get(position);
        String literal = parts.get(column.readName());
        Object value = literal == null ? null : Literals.parse(column, literal);
        if (value != null) {
          values.add(value);
        }
      }
      if (values.size() == key.columns().size() && values.size() == parts.size()) {
        return new RowKey.ByKey(key, values);
      }
    }
    throw Errors.unknownKey(table.name());
  }

  private static UUID id(TableSchema table, String text) throws WebApiException {
    try {
      return Literals.guid(text);
    } catch (IllegalArgumentException e) {
      throw Errors.unknownKey(table.name());
    }
  }

  private static String text(TableSchema table, String literal) throws WebApiException {
    try {
      return Literals.unquoted(literal);
    } catch (IllegalArgumentException e) {
      throw Errors.unknownKey(table.name());
    }
  }

  /** Names and literals; a comma or a sign within quotes does not separate. */
  private static Map<String, String> parts(TableSchema table, String text) throws WebApiException {
    Map<String, String> parts = new LinkedHashMap<>();
    boolean quoted = false;
    int start = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i < text.length() && text.charAt(i) == '\'') {
        quoted = !quoted;
      }
      if (i == text.length() || (text.charAt(i) == ',' && !quoted)) {
        String part = text.substring(start, i);
        int sign = part.indexOf('=');
        if (sign <= 0 || quoted) {
          throw Errors.unknownKey(table.name());
        }
        parts.put(part.substring(0, sign).strip(), part.substring(sign + 1).strip());
        start = i + 1;
      }
    }
    return parts;
  }
}

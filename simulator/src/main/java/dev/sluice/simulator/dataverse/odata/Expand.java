package dev.sluice.simulator.dataverse.odata;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.store.Schema;
import dev.sluice.simulator.dataverse.store.TableSchema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A navigation property whose rows are wanted, too.
 *
 * @param from the table that has it
 * @param property its name
 * @param table the table to which it leads
 * @param column the lookup behind it: of the row itself, or of the rows that refer to it
 * @param many whether it leads to all rows that refer to the row, instead of to one
 * @param query what is wanted of those rows
 */
public record Expand(
    TableSchema from, String property, TableSchema table, int column, boolean many, Query query) {
  private static final Set<String> OF_ONE = Set.of("$select", "$expand");
  private static final Set<String> OF_MANY =
      Set.of("$select", "$expand", "$filter", "$orderby", "$top");

  /** The service follows no more navigation properties in one query. */
  private static final int MOST = 15;

  /** Far more than anybody writes, far less than a stack holds. */
  private static final int DEEPEST = 64;

  /** Understands the text of an {@code $expand}, options in parentheses included. */
  static List<Expand> parse(Schema schema, TableSchema table, Instant now, String text)
      throws WebApiException {
    List<Expand> expands = new ArrayList<>();
    for (String part : split(text, ',')) {
      expands.add(one(schema, table, now, part.strip()));
    }
    if (expands.stream().map(Expand::property).distinct().count() < expands.size()) {
      throw Errors.badRequest("A navigation property is expanded twice: '%s'.".formatted(text));
    }
    if (expands.isEmpty() || expands.stream().mapToInt(Expand::size).sum() > MOST) {
      throw Errors.badRequest(
          "The query option '$expand' must name 1 to %d navigation properties.".formatted(MOST));
    }
    return List.copyOf(expands);
  }

  private int size() {
    return 1 + query.expand().stream().mapToInt(Expand::size).sum();
  }

  private static Expand one(Schema schema, TableSchema table, Instant now, String text)
      throws WebApiException {
    int open = text.indexOf('(');
    if (open >= 0 && !text.endsWith(")")) {
      throw syntax(text);
    }
    String property = (open < 0 ? text : text.substring(0, open)).strip();
    Map<String, String> options =
        open < 0 ? Map.of() : options(text.substring(open + 1, text.length() - 1));
    TableSchema.Navigation single = table.navigation(property);
    Schema.OneToMany collection = schema.collections(table).get(property);
    if (single != null) {
      TableSchema target = Objects.requireNonNull(schema.named(single.target()));
      only(OF_ONE, property, options);
      Query query = Query.of(schema, target, now, options);
      return new Expand(table, property, target, single.column(), false, query);
    }
    if (collection != null) {
      only(OF_MANY, property, options);
      Query query = Query.of(schema, collection.table(), now, options);
      return new Expand(table, property, collection.table(), collection.column(), true, query);
    }
    if (table.readPosition(property) != null) {
      throw Errors.badRequest(
          ("Property '%s' on type 'Microsoft.Dynamics.CRM.%s' is not a navigation property or"
                  + " complex property. Only navigation properties can be expanded.")
              .formatted(property, table.name()));
    }
    throw Errors.unknownColumn(property, table.name());
  }

  private static Map<String, String> options(String text) throws WebApiException {
    Map<String, String> options = new LinkedHashMap<>();
    for (String option : split(text, ';')) {
      int sign = option.indexOf('=');
      if (sign <= 0) {
        throw syntax(text);
      }
      options.put(option.substring(0, sign).strip(), option.substring(sign + 1).strip());
    }
    return options;
  }

  private static void only(Set<String> known, String property, Map<String, String> options)
      throws WebApiException {
    for (String option : options.keySet()) {
      if (!known.contains(option)) {
        throw Errors.badRequest(
            "The query option '%s' is not supported within $expand of '%s'."
                .formatted(option, property));
      }
    }
  }

  private static WebApiException syntax(String text) {
    return Errors.badRequest("Syntax error in $expand: '%s'.".formatted(text));
  }

  /**
   * Splits a list at a separator outside parentheses and quotes; nothing between two separators is
   * refused, and so are parentheses and quotes without their other half, or too many of them.
   */
  public static List<String> split(String text, char separator) throws WebApiException {
    List<String> parts = new ArrayList<>();
    boolean quoted = false;
    int depth = 0;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char at = text.charAt(i);
      if (at == '\'') {
        quoted = !quoted;
      } else if (!quoted) {
        depth += at == '(' ? 1 : at == ')' ? -1 : 0;
        if (depth < 0) {
          throw syntax(text);
        }
        if (depth > DEEPEST) {
          throw Errors.badRequest("Recursion limit reached.");
        }
        if (at == separator && depth == 0) {
          parts.add(text.substring(start, i));
          start = i + 1;
        }
      }
    }
    if (start > 0 || !text.isBlank()) {
      parts.add(text.substring(start));
    }
    if (quoted || depth != 0 || parts.stream().anyMatch(String::isBlank)) {
      throw syntax(text);
    }
    return parts;
  }
}

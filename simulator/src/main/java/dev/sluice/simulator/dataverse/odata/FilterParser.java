package dev.sluice.simulator.dataverse.odata;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.store.TableSchema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads the text of a {@code $filter}: by descent, {@code or} above {@code and} above the rest. */
final class FilterParser {
  /** Far more than anybody writes, far less than a stack holds. */
  private static final int DEEPEST = 200;

  private final TableSchema table;
  private final FilterTokens tokens;
  private final QueryFunctions functions;
  private int depth;

  private FilterParser(TableSchema table, FilterTokens tokens, QueryFunctions functions) {
    this.table = table;
    this.tokens = tokens;
    this.functions = functions;
  }

  /**
   * Understands a filter.
   *
   * @param aliases what stands for names that start with {@code @}
   * @param now what functions of time take for now
   */
  static Filter parse(TableSchema table, Map<String, String> aliases, Instant now, String text)
      throws WebApiException {
    FilterTokens tokens = new FilterTokens(aliases, text);
    Filter filter = new FilterParser(table, tokens, new QueryFunctions(table, now)).either();
    tokens.expectEnd();
    return filter;
  }

  private Filter either() throws WebApiException {
    List<Filter> parts = new ArrayList<>();
    do {
      parts.add(all());
    } while (tokens.took("or"));
    return parts.size() == 1 ? parts.get(0) : new Filter.Or(List.copyOf(parts));
  }

  private Filter all() throws WebApiException {
    List<Filter> parts = new ArrayList<>();
    do {
      parts.add(one());
    } while (tokens.took("and"));
    return parts.size() == 1 ? parts.get(0) : new Filter.And(List.copyOf(parts));
  }

  private Filter one() throws WebApiException {
    if (++depth > DEEPEST) {
      throw Errors.badRequest("Recursion limit reached.");
    }
    try {
      if (tokens.took("not")) {
        return new Filter.Not(one());
      }
      if (tokens.took("(")) {
        Filter inner = either();
        tokens.expect(")");
        return inner;
      }
      String word = tokens.take();
      return switch (word) {
        case "contains" -> text(Filter.Part.ANYWHERE);
        case "startswith" -> text(Filter.Part.START);
        case "endswith" -> text(Filter.Part.END);
        default -> QueryFunctions.covers(word) ? functions.parse(word, tokens) : comparison(word);
      };
    } finally {
      depth--;
    }
  }

  private Filter comparison(String property) throws WebApiException {
    int column = column(property);
    String word = tokens.take();
    Filter.Relation relation;
    try {
      relation = Filter.Relation.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw tokens.syntax();
    }
    return new Filter.Comparison(
        column, relation, Literals.parse(table.columns().get(column), tokens.literal()));
  }

  private Filter text(Filter.Part part) throws WebApiException {
    tokens.expect("(");
    int column = column(tokens.take());
    tokens.expect(",");
    Object value = Literals.parse(table.columns().get(column), tokens.literal());
    tokens.expect(")");
    if (!(value instanceof String wanted)) {
      throw tokens.syntax();
    }
    return new Filter.Contains(column, part, wanted.toLowerCase(Locale.ROOT));
  }

  private int column(String property) throws WebApiException {
    Integer position = table.readPosition(property);
    if (position == null && tokens.took("(")) {
      throw Errors.unknownFunction(property);
    }
    if (property.indexOf('/') > 0) {
      throw Errors.notImplemented(
          "The simulated environment does not filter by columns of other tables.");
    }
    if (position == null) {
      throw Errors.unknownColumn(property, table.name());
    }
    return position;
  }
}

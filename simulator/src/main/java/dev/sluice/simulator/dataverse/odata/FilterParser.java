package dev.sluice.simulator.dataverse.odata;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.store.Column;
import dev.sluice.simulator.dataverse.store.TableSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the text of a {@code $filter}: by descent, {@code or} above {@code and} above the rest. */
final class FilterParser {
  private static final Pattern TOKEN =
      Pattern.compile("\\s*('(?:[^']|'')*'|[(),\\[\\]=]|[^\\s(),\\[\\]='][^\\s(),\\[\\]=]*)");

  /** Far more than anybody writes, far less than a stack holds. */
  private static final int DEEPEST = 200;

  private static final String IN = "Microsoft.Dynamics.CRM.In";

  private final TableSchema table;
  private final Map<String, String> aliases;
  private final String text;
  private final List<String> tokens = new ArrayList<>();
  private int next;
  private int depth;

  private FilterParser(TableSchema table, Map<String, String> aliases, String text) {
    this.table = table;
    this.aliases = aliases;
    this.text = text;
  }

  /**
   * Understands a filter.
   *
   * @param aliases what stands for names that start with {@code @}
   */
  static Filter parse(TableSchema table, Map<String, String> aliases, String text)
      throws WebApiException {
    FilterParser parser = new FilterParser(table, aliases, text);
    parser.split();
    Filter filter = parser.either();
    if (parser.next < parser.tokens.size()) {
      throw parser.syntax();
    }
    return filter;
  }

  private void split() throws WebApiException {
    Matcher matcher = TOKEN.matcher(text);
    int end = 0;
    while (matcher.find() && matcher.start() == end) {
      tokens.add(matcher.group(1));
      end = matcher.end();
    }
    if (!text.substring(end).isBlank() || tokens.isEmpty()) {
      throw syntax();
    }
  }

  private Filter either() throws WebApiException {
    List<Filter> parts = new ArrayList<>();
    do {
      parts.add(all());
    } while (took("or"));
    return parts.size() == 1 ? parts.get(0) : new Filter.Or(List.copyOf(parts));
  }

  private Filter all() throws WebApiException {
    List<Filter> parts = new ArrayList<>();
    do {
      parts.add(one());
    } while (took("and"));
    return parts.size() == 1 ? parts.get(0) : new Filter.And(List.copyOf(parts));
  }

  private Filter one() throws WebApiException {
    if (++depth > DEEPEST) {
      throw Errors.badRequest("Recursion limit reached.");
    }
    try {
      if (took("not")) {
        return new Filter.Not(one());
      }
      if (took("(")) {
        Filter inner = either();
        expect(")");
        return inner;
      }
      String word = take();
      return switch (word) {
        case "contains" -> text(Filter.Part.ANYWHERE);
        case "startswith" -> text(Filter.Part.START);
        case "endswith" -> text(Filter.Part.END);
        case IN -> in();
        default -> comparison(word);
      };
    } finally {
      depth--;
    }
  }

  private Filter comparison(String property) throws WebApiException {
    int column = column(property);
    String word = take();
    Filter.Relation relation;
    try {
      relation = Filter.Relation.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw syntax();
    }
    return new Filter.Comparison(
        column, relation, Literals.parse(table.columns().get(column), literal()));
  }

  private Filter text(Filter.Part part) throws WebApiException {
    expect("(");
    int column = column(take());
    expect(",");
    Object value = Literals.parse(table.columns().get(column), literal());
    expect(")");
    if (!(value instanceof String wanted)) {
      throw syntax();
    }
    return new Filter.Contains(column, part, wanted.toLowerCase(Locale.ROOT));
  }

  private Filter in() throws WebApiException {
    expect("(");
    expect("PropertyName");
    expect("=");
    int position = column(unquoted(take()));
    expect(",");
    expect("PropertyValues");
    expect("=");
    expect("[");
    Column column = table.columns().get(position);
    boolean text = column.type().edmType().equals("Edm.String");
    Set<Object> values = new HashSet<>();
    do {
      String literal = literal();
      Object value = Literals.parse(column, text ? literal : unquoted(literal));
      if (value != null) {
        values.add(value);
      }
    } while (took(","));
    expect("]");
    expect(")");
    return new Filter.In(position, values);
  }

  private static String unquoted(String literal) {
    return literal.startsWith("'") ? Literals.unquoted(literal) : literal;
  }

  private String literal() throws WebApiException {
    String word = take();
    if (!word.startsWith("@")) {
      return word;
    }
    String value = aliases.get(word);
    if (value == null) {
      throw Errors.badRequest("The parameter alias '%s' has no value.".formatted(word));
    }
    return value.strip();
  }

  private int column(String property) throws WebApiException {
    Integer position = table.readPosition(property);
    if (position == null) {
      throw Errors.unknownColumn(property, table.name());
    }
    return position;
  }

  private boolean took(String token) {
    if (next < tokens.size() && tokens.get(next).equals(token)) {
      next++;
      return true;
    }
    return false;
  }

  private void expect(String token) throws WebApiException {
    if (!took(token)) {
      throw syntax();
    }
  }

  private String take() throws WebApiException {
    if (next >= tokens.size()) {
      throw syntax();
    }
    return tokens.get(next++);
  }

  private WebApiException syntax() {
    return Errors.badRequest(
        "Syntax error in the filter '%s', before '%s'."
            .formatted(text, next < tokens.size() ? tokens.get(next) : "its end"));
  }
}

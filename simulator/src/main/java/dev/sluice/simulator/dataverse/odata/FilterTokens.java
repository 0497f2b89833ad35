package dev.sluice.simulator.dataverse.odata;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The words of a {@code $filter} or of a parameter, one after the other; names that start with
 * {@code @} are aliases and stand for other text. Not thread-safe.
 */
public final class FilterTokens {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*('(?:[^']|'')*'|\"[^\"]*\"|[(),\\[\\]=]|[^\\s(),\\[\\]='\"][^\\s(),\\[\\]=]*)");

  private final Map<String, String> aliases;
  private final String text;
  private final List<String> tokens = new ArrayList<>();
  private int next;

  FilterTokens(Map<String, String> aliases, String text) throws WebApiException {
    this.aliases = aliases;
    this.text = text;
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

  /** The texts of a list such as {@code ["account",'contact']}; refused if it is none. */
  public static List<String> texts(String list) throws WebApiException {
    FilterTokens tokens = new FilterTokens(Map.of(), list);
    List<String> texts = tokens.list();
    tokens.expectEnd();
    return texts;
  }

  boolean took(String token) {
    if (next < tokens.size() && tokens.get(next).equals(token)) {
      next++;
      return true;
    }
    return false;
  }

  void expect(String token) throws WebApiException {
    if (!took(token)) {
      throw syntax();
    }
  }

  void expectEnd() throws WebApiException {
    if (next < tokens.size()) {
      throw syntax();
    }
  }

  String take() throws WebApiException {
    if (next >= tokens.size()) {
      throw syntax();
    }
    return tokens.get(next++);
  }

  /** A literal as it is written, in its quotes; or what its alias stands for. */
  String literal() throws WebApiException {
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

  /** The values of a parameter, without quotes: one, or those of a list. */
  List<String> values() throws WebApiException {
    if (next < tokens.size() && tokens.get(next).equals("[")) {
      return list();
    }
    String literal = literal();
    return literal.startsWith("[") ? texts(literal) : List.of(unquoted(literal));
  }

  private List<String> list() throws WebApiException {
    List<String> values = new ArrayList<>();
    expect("[");
    do {
      values.add(unquoted(literal()));
    } while (took(","));
    expect("]");
    return values;
  }

  private String unquoted(String literal) throws WebApiException {
    char first = literal.isEmpty() ? ' ' : literal.charAt(0);
    if (first != '\'' && first != '"') {
      return literal;
    }
    if (literal.length() < 2 || literal.charAt(literal.length() - 1) != first) {
      throw syntax();
    }
    return first == '\'' ? Literals.unquoted(literal) : literal.substring(1, literal.length() - 1);
  }

  WebApiException syntax() {
    return Errors.badRequest(
        "Syntax error in '%s', before '%s'."
            .formatted(text, next < tokens.size() ? tokens.get(next) : "its end"));
  }
}

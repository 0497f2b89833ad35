package dev.sluice.collect.yaml.text;

import dev.sluice.collect.select.JsonPath;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.DecimalNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.StringNode;

/** Reads conditions by recursive descent: or, and, not, then one comparison. Used once. */
final class ConditionParser {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:('[^']*'|\"[^\"]*\")|(-?[0-9]+(?:\\.[0-9]+)?(?![A-Za-z0-9_.]))"
              + "|(==|!=|<=|>=|<|>|\\(|\\)|\\[|]|,)"
              + "|([A-Za-z_$](?:[A-Za-z0-9_.$-]|\\[(?:\\*|[0-9]+|'[^']+')])*))");
  private static final int DEEPEST = 50;

  private final String text;
  private final List<String> tokens = new ArrayList<>();
  private int at;
  private int depth;

  ConditionParser(String text) {
    this.text = text;
  }

  Condition parse() {
    tokenize();
    Condition condition = or();
    if (at < tokens.size()) {
      throw expected("and, or, or the end");
    }
    return condition;
  }

  private void tokenize() {
    Matcher matcher = TOKEN.matcher(text);
    int end = 0;
    while (!text.substring(end).isBlank()) {
      if (!matcher.find(end) || matcher.start() != end) {
        throw new IllegalArgumentException(
            "which cannot be read from '%s' on".formatted(text.substring(end).strip()));
      }
      tokens.add(matcher.group().strip());
      end = matcher.end();
    }
  }

  private Condition or() {
    Condition left = and();
    while (take("or")) {
      left = new Condition.Or(left, and());
    }
    return left;
  }

  private Condition and() {
    Condition left = not();
    while (take("and")) {
      left = new Condition.And(left, not());
    }
    return left;
  }

  private Condition not() {
    if (++depth > DEEPEST) {
      throw new IllegalArgumentException("which is nested too deeply; write it in fewer steps");
    }
    try {
      if (take("not")) {
        return new Condition.Not(not());
      }
      if (take("(")) {
        Condition inner = or();
        require(")");
        return inner;
      }
      return comparison();
    } finally {
      depth--;
    }
  }

  private Condition comparison() {
    if (peek().equals("exists")) {
      at++;
      require("(");
      Operand what = operand();
      require(")");
      if (what instanceof Operand.Path path) {
        return new Condition.Exists(path.path());
      }
      throw new IllegalArgumentException("but exists() needs a name, such as exists(pull_request)");
    }
    Operand left = operand();
    if (take("in")) {
      require("[");
      List<Operand> choices = new ArrayList<>();
      do {
        choices.add(operand());
      } while (take(","));
      require("]");
      return new Condition.In(left, choices);
    }
    Optional<Operator> operator =
        Stream.of(Operator.values()).filter(each -> each.symbol().equals(peek())).findFirst();
    if (operator.isEmpty()) {
      throw expected("one of ==, !=, <, <=, >, >=, in, contains");
    }
    at++;
    return new Condition.Comparison(left, operator.get(), operand());
  }

  private Operand operand() {
    String token = peek();
    if (token.isEmpty() || "()[],<>=!".indexOf(token.charAt(0)) >= 0) {
      throw expected("a name, a number or a text in quotes");
    }
    at++;
    if (token.charAt(0) == '\'' || token.charAt(0) == '"') {
      return new Operand.Literal(StringNode.valueOf(token.substring(1, token.length() - 1)));
    }
    if (token.matches("-?[0-9].*")) {
      return new Operand.Literal(DecimalNode.valueOf(new BigDecimal(token)));
    }
    return switch (token) {
      case "true" -> new Operand.Literal(BooleanNode.TRUE);
      case "false" -> new Operand.Literal(BooleanNode.FALSE);
      case "null" -> new Operand.Literal(NullNode.getInstance());
      case "and", "or", "not", "in", "contains" -> {
        at--;
        throw expected("a name, a number or a text in quotes");
      }
      default -> new Operand.Path(checked(token));
    };
  }

  private static String checked(String path) {
    return path.startsWith("$") ? JsonPath.parse(path).toString() : path;
  }

  private String peek() {
    return at < tokens.size() ? tokens.get(at) : "";
  }

  private boolean take(String token) {
    boolean taken = peek().equals(token);
    at += taken ? 1 : 0;
    return taken;
  }

  private void require(String token) {
    if (!take(token)) {
      throw expected(token);
    }
  }

  private IllegalArgumentException expected(String what) {
    String found = peek();
    String behind = at == 0 ? "" : " after '%s'".formatted(tokens.get(at - 1));
    return new IllegalArgumentException(
        "but%s %s is expected%s"
            .formatted(behind, what, found.isEmpty() ? "" : ", not '%s'".formatted(found)));
  }
}

package dev.sluice.gate.http;

import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.QuotaHint.Unit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.greenbytes.http.sfv.ListElement;
import org.jspecify.annotations.Nullable;

/**
 * A limit spread over headers with one prefix: {@code X-RateLimit-Limit}, {@code -Remaining},
 * {@code -Reset} and their relatives. What a name has beyond its prefix and field is the limit's
 * key, after the field ({@code x-ratelimit-limit-tokens}) or before it ({@code
 * anthropic-ratelimit-tokens-limit}).
 */
final class PrefixedDialect implements Dialect {
  private static final int MOST_LIMITS = 16;
  private static final int LONGEST_LABEL = 64;

  /** What a header tells; those whose names begin alike stand with the longer name first. */
  private enum Field {
    INTERVAL_MILLIS("interval-milliseconds"),
    INTERVAL_SECONDS("interval-seconds"),
    RETRY_AFTER("retry-after"),
    RESET_AFTER("reset-after"),
    RESET_TIME("resettime"),
    REMAINING("remaining"),
    OBSERVED("observed"),
    REFILL("fillrate"),
    LIMIT("limit"),
    RESET("reset"),
    USED("used"),
    MAX("max");

    final String word;

    Field(String word) {
      this.word = word;
    }

    /** The limit's key if a name, prefix gone, tells this field; null if it does not. */
    @Nullable String keyIn(String name) {
      if (name.equals(word)) {
        return "";
      }
      if (name.startsWith(word) && name.charAt(word.length()) == '-') {
        return name.substring(word.length() + 1);
      }
      int end = name.length() - word.length() - 1;
      return end > 0 && name.endsWith(word) && name.charAt(end) == '-'
          ? name.substring(0, end)
          : null;
    }
  }

  private final String prefix;
  private final String bare;

  PrefixedDialect(String prefix) {
    if (prefix.length() < 2 || !prefix.endsWith("-")) {
      throw new IllegalArgumentException(
          "prefix is \"" + prefix + "\", but must be a header name's beginning, with its hyphen");
    }
    this.prefix = prefix.toLowerCase(Locale.ROOT);
    this.bare = this.prefix.substring(0, prefix.length() - 1);
  }

  @Override
  public List<Statement> read(Answer answer) {
    Map<String, Map<Field, List<String>>> limits = new TreeMap<>();
    answer.headers().forEach((name, lines) -> collect(name, lines, limits));
    // Draft 08 and later own the bare name; elsewhere it is the limit itself.
    if (!bare.equals("ratelimit") && !answer.header(bare).isEmpty()) {
      fields(limits, "").putIfAbsent(Field.LIMIT, answer.header(bare));
    }
    List<Statement> statements = new ArrayList<>(limits.size());
    for (Map.Entry<String, Map<Field, List<String>>> limit : limits.entrySet()) {
      if (statements.size() == MOST_LIMITS) {
        statements.add(Statement.from(bare).unreadable());
        break;
      }
      Statement statement = statement(limit.getKey(), limit.getValue());
      statements.add(statement);
      if (limit.getKey().isEmpty()) {
        label(statement, answer);
        policies(statement, limit.getValue().get(Field.LIMIT), answer, statements);
      }
    }
    return statements;
  }

  private void collect(
      String name, List<String> lines, Map<String, Map<Field, List<String>>> limits) {
    if (!name.regionMatches(true, 0, prefix, 0, prefix.length())) {
      return;
    }
    String rest = name.substring(prefix.length()).toLowerCase(Locale.ROOT);
    for (Field field : Field.values()) {
      String key = field.keyIn(rest);
      if (key != null) {
        fields(limits, key).put(field, lines);
        return;
      }
    }
  }

  private static Map<Field, List<String>> fields(
      Map<String, Map<Field, List<String>>> limits, String key) {
    return limits.computeIfAbsent(key, unused -> new EnumMap<>(Field.class));
  }

  private Statement statement(String key, Map<Field, List<String>> fields) {
    Statement statement = Statement.from(bare).key(key).unit(unit(key));
    Duration window = window(key);
    if (window != null) {
      statement.window(window);
    }
    // A span before a time: it needs no clock.
    return statement
        .limit(first(fields, Field.LIMIT, Field.MAX))
        .remaining(first(fields, Field.REMAINING))
        .used(first(fields, Field.USED, Field.OBSERVED))
        .reset(first(fields, Field.RESET_AFTER), WaitForm.DELTA_SECONDS)
        .reset(first(fields, Field.RESET), WaitForm.AUTO)
        .reset(first(fields, Field.RESET_TIME), WaitForm.INSTANT)
        .window(first(fields, Field.INTERVAL_SECONDS), WaitForm.DELTA_SECONDS)
        .window(first(fields, Field.INTERVAL_MILLIS), WaitForm.DELTA_MILLIS)
        .refill(first(fields, Field.REFILL))
        .retryAfter(first(fields, Field.RETRY_AFTER), WaitForm.AUTO);
  }

  private static List<String> first(Map<Field, List<String>> fields, Field... candidates) {
    for (Field field : candidates) {
      List<String> lines = fields.get(field);
      if (lines != null) {
        return lines;
      }
    }
    return List.of();
  }

  private static Unit unit(String key) {
    if (key.contains("token")) {
      return Unit.POINTS;
    }
    if (key.contains("byte")) {
      return Unit.BYTES;
    }
    return key.contains("concurren") ? Unit.CONCURRENT : Unit.REQUESTS;
  }

  private static @Nullable Duration window(String key) {
    return switch (key) {
      case "second" -> Duration.ofSeconds(1);
      case "minute" -> Duration.ofMinutes(1);
      case "hour" -> Duration.ofHours(1);
      case "day" -> Duration.ofDays(1);
      default -> null;
    };
  }

  /** Names the limit after its bucket, its pool of resources, or its own name. */
  private void label(Statement statement, Answer answer) {
    if (label(statement, answer.header(prefix + "bucket"))) {
      boolean global = answer.header(prefix + "global").contains("true");
      statement.reach(global ? Reach.PROVIDER : Reach.ROUTE);
    } else if (label(statement, answer.header(prefix + "resource"))) {
      statement.reach(Reach.RESOURCE_POOL);
    } else {
      boolean unused = label(statement, answer.header(prefix + "name"));
    }
  }

  private static boolean label(Statement statement, List<String> lines) {
    String label = lines.size() == 1 ? lines.getFirst().strip() : "";
    boolean plain =
        !label.isEmpty()
            && label.length() <= LONGEST_LABEL
            && label.chars().allMatch(c -> c > ' ' && c < 0x7f);
    if (plain) {
      statement.key(label);
    }
    return plain;
  }

  /** Reads the policies of the drafts up to 06: after the limit, or in a field of their own. */
  private void policies(
      Statement statement,
      @Nullable List<String> limit,
      Answer answer,
      List<Statement> statements) {
    List<QuotaPolicy> known = new ArrayList<>();
    if (limit != null) {
      List<QuotaPolicy> listed = listed(limit);
      if (!listed.isEmpty()) {
        listed.getFirst().describe(statement);
        known.addAll(listed.subList(1, listed.size()));
      }
    }
    if (answer.header(bare).isEmpty()) {
      List<ListElement<?>> members = StructuredField.list(answer.header(prefix + "policy"));
      if (members != null) {
        known.addAll(QuotaPolicy.in(members));
        known.removeIf(policy -> policy.name().isPresent());
      }
    }
    IetfDialect.join(statement.limit(), known, statement);
    for (QuotaPolicy policy : known) {
      statements.add(policy.alone(bare));
    }
  }

  /** {@code 100, 100;w=60, 1000;w=3600}: the limit, then policies; empty if it is no such list. */
  private static List<QuotaPolicy> listed(List<String> limit) {
    if (limit.stream().allMatch(line -> Decimal.parse(line) != null)) {
      return List.of();
    }
    List<ListElement<?>> members = StructuredField.list(limit);
    if (members == null) {
      return List.of();
    }
    List<QuotaPolicy> policies = QuotaPolicy.in(members);
    boolean all = policies.size() == members.size() && !policies.isEmpty();
    for (int i = 0; i < policies.size(); i++) {
      QuotaPolicy policy = policies.get(i);
      all &= policy.name().isEmpty() && (i == 0 || !policy.window().isEmpty());
    }
    return all ? policies : List.of();
  }
}

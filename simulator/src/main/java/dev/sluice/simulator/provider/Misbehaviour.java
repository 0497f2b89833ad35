package dev.sluice.simulator.provider;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What real services do, though it helps nobody: each was reported of one or more of them. Known to
 * users by its {@link #key}, and explained by its {@link #meaning}.
 */
public enum Misbehaviour {
  // What the service does.
  WAITS_ESCALATE("whoever presses on is told to wait twice as long each time, up to 1 h"),
  LOCK_OUT("one refusal closes the account for 30 s, whatever the limit would allow"),
  OBJECT_LOCKS("one object of twenty is locked for some seconds, and answers 429 lock_timeout"),
  CREDIT_RUNS_OUT("after 1,000 requests the credit is spent: 429 for ever, insufficient_quota"),
  SUSPENSION_AS_429("a suspended account (10 % of a minute throttled) is told 429, not 403"),

  // What the status of a throttle is.
  THROTTLE_AS_403("throttles are 403", 403),
  THROTTLE_AS_400("throttles are 400 with a code in the body", 400),
  THROTTLE_AS_401("throttles are 401, as if the credential were wrong", 401),
  THROTTLE_AS_529("throttles are 529", 529),
  THROTTLE_AS_200("throttles are 200 with an error in the body", 200),
  BLOCK_PAGE("throttles are an HTML page with status 403", 403),

  // What Retry-After says.
  RETRY_AFTER_TOO_SHORT("Retry-After is half of what it should be"),
  RETRY_AFTER_IN_MILLISECONDS("Retry-After is in milliseconds"),
  RETRY_AFTER_IN_DECIMALS("Retry-After has a fraction: 2.0"),
  RETRY_AFTER_AS_DATE("Retry-After is an HTTP-date"),
  RETRY_AFTER_WITH_WRONG_WEEKDAY("Retry-After is an HTTP-date whose weekday is wrong"),
  RETRY_AFTER_ZERO("every throttle says Retry-After: 0"),
  RETRY_AFTER_NEGATIVE("every throttle says Retry-After: -1"),
  RETRY_AFTER_IN_WORDS("every throttle says Retry-After: soon"),
  RETRY_AFTER_TWICE("two Retry-After headers, the second three times the first"),
  RETRY_AFTER_ON_SUCCESS("answers that succeed say Retry-After: 0"),
  RETRY_AFTER_IN_BODY("the wait stands only in the body, as retryDelay: \"27s\""),

  // What the quota headers say. Each turns them on.
  RESET_AS_EPOCH_SECONDS("X-RateLimit-Reset is in seconds since 1970"),
  RESET_AS_EPOCH_MILLISECONDS("X-RateLimit-Reset is in milliseconds since 1970"),
  RESET_IN_MILLISECONDS("X-RateLimit-Reset is in milliseconds from now"),
  RESET_AS_GO_DURATION("X-RateLimit-Reset is a duration: 6m0s"),
  RESET_AS_RFC_3339("X-RateLimit-Reset is an RFC 3339 time"),
  RESET_TO_THE_MINUTE("X-RateLimit-Reset is an ISO time without seconds"),
  RESET_AS_HTTP_DATE("X-RateLimit-Reset is an HTTP-date"),
  RESET_AS_JAVASCRIPT_DATE("X-RateLimit-Reset is JavaScript's Date.toString()"),
  RESET_IN_THE_PAST("X-RateLimit-Reset lies ten minutes back"),
  HEADERS_VANISH("quota headers are missing on throttles"),
  REMAINING_WHILE_THROTTLED("throttles say that half of the quota remains"),
  REMAINING_IN_FRACTIONS("the remaining quota has a fraction: 597.0"),
  UNKNOWN_AS_MINUS_ONE("limit -1, remaining -1, reset 0"),
  LIMIT_PER_MINUTE("the limit is told per minute, whatever its window"),
  WRONG_LIMIT_TOLD("of several limits the roomiest is told"),
  CLOCK_AHEAD("absolute times, and in process Date, come from a clock 7 min ahead"),
  CACHED_ANSWERS("every fourth success is a cached one, with Age and the quota of its time"),

  // How answers arrive.
  CONNECTION_DROPS("one connection of fifty is closed without an answer"),
  BODY_TRUNCATED("one body of fifty ends early"),
  BODY_TRICKLES("one body of twenty takes 5 s to arrive"),

  // What lists do.
  CURSOR_EXPIRES("a cursor is good for 60 s, and then answers 410 cursor_expired"),
  CURSOR_LOOPS("the third page's cursor leads back to the second page");

  private final String meaning;
  private final int throttleStatus;

  Misbehaviour(String meaning) {
    this(meaning, 0);
  }

  Misbehaviour(String meaning, int throttleStatus) {
    this.meaning = meaning;
    this.throttleStatus = throttleStatus;
  }

  /** The name by which users ask for it: {@code retry-after-zero}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What happens, in a line. */
  public String meaning() {
    return meaning;
  }

  /** The one that is known by this name, however it is spelled. */
  public static Optional<Misbehaviour> named(String key) {
    String plain = key.strip().toLowerCase(Locale.ROOT).replace('_', '-');
    return Arrays.stream(values()).filter(each -> each.key().equals(plain)).findFirst();
  }

  /** The status that a throttle gets; 0 if this does not change it. */
  int throttleStatus() {
    return throttleStatus;
  }

  /** Whether it is about quota headers, which are then sent. */
  boolean speaksOfQuota() {
    return switch (this) {
      case HEADERS_VANISH,
          REMAINING_WHILE_THROTTLED,
          REMAINING_IN_FRACTIONS,
          UNKNOWN_AS_MINUS_ONE,
          LIMIT_PER_MINUTE,
          WRONG_LIMIT_TOLD,
          CACHED_ANSWERS ->
          true;
      default -> name().startsWith("RESET_");
    };
  }
}

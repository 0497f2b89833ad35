package dev.sluice.gate.http;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The time at the service when one answer came. Remembers whether it was asked, because a skewed
 * clock matters only to those who read it. For one reading, on one thread.
 */
final class ServerClock implements InstantSource {
  private final Answer answer;
  private final ClockSkew skew;
  private boolean asked;

  ServerClock(Answer answer, ClockSkew skew) {
    this.answer = answer;
    this.skew = skew;
  }

  /** Takes what an answer says of its clock as a sample; not for answers that a cache gave. */
  static void sample(Answer answer, ClockSkew skew) {
    if (answer.roundTrip().isPresent()) {
      Instant date = date(answer);
      if (date != null) {
        long roundTrip = nanos(answer.roundTrip().get());
        skew.observe(ahead(date, answer.receivedOn().minusNanos(roundTrip / 2)), roundTrip);
      }
    }
  }

  @Override
  public Instant instant() {
    asked = true;
    return answer.receivedOn().plusNanos(ahead());
  }

  /** Whether a time was read by this clock although it is far from ours, or not believed. */
  boolean misled() {
    if (!asked) {
      return false;
    }
    Instant date = date(answer);
    return Math.abs(ahead()) > ClockSkew.REMARKABLE.toNanos()
        || (date != null && !ClockSkew.believable(ahead(date, answer.receivedOn())));
  }

  private long ahead() {
    if (answer.roundTrip().isPresent()) {
      return skew.nanos();
    }
    // Nobody knows when the request was sent, so this is no sample for others; but for this one
    // answer its own date is closer to the truth than a clock that may be wrong by hours.
    Instant date = date(answer);
    long own = date == null ? Long.MAX_VALUE : ahead(date, answer.receivedOn());
    return ClockSkew.believable(own) ? ClockSkew.tellable(own) : skew.nanos();
  }

  private static @Nullable Instant date(Answer answer) {
    List<String> lines = answer.header("date");
    return lines.size() == 1 ? Timestamps.parse(lines.getFirst(), answer::receivedOn) : null;
  }

  private static long ahead(Instant theirs, Instant ours) {
    return nanos(Duration.between(ours, theirs));
  }

  /** Saturates instead of overflowing: a date may be any year. */
  private static long nanos(Duration duration) {
    long most = Long.MAX_VALUE / 2;
    if (duration.compareTo(Duration.ofNanos(most)) >= 0) {
      return most;
    }
    return duration.compareTo(Duration.ofNanos(-most)) <= 0 ? -most : duration.toNanos();
  }
}

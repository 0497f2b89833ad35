package dev.sluice.gate;

import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.Optional;

/**
 * How long one call may wait: within its own deadline, the clock of its run, and the longest hold
 * that this waits for. Immutable; monotonic nanoseconds.
 */
final class Patience {
  private final Run run;
  private final Time time;
  private final long end; // of the whole call

  /** Of a call that begins now. */
  Patience(Run run, Optional<Duration> deadline, Time time) {
    this.run = run;
    this.time = time;
    this.end = deadline.isEmpty() ? Time.NEVER : time.deadline(deadline.get());
  }

  /** Whether the call may wait until then, at a stretch; a time that is past, always. */
  boolean mayWait(long until) {
    long now = time.nanos();
    return until <= now
        || (!isTooLong(Duration.ofNanos(until - now))
            && until < run.budget().deadline(now)
            && until < end);
  }

  /** Whether a wait is longer than the run sits out. */
  boolean isTooLong(Duration wait) {
    return run.longestHold().isPresent() && wait.compareTo(run.longestHold().get()) > 0;
  }

  /** Whether what is asked for comes after the caller's time, as far as is known before asking. */
  boolean isOver(Ask ask, long now) {
    long timeout = ask.timeout().map(longest -> Time.after(now, longest)).orElse(Time.NEVER);
    long start = Math.max(now, ask.notBefore());
    return start >= end || (start > now && start >= timeout);
  }

  /** The same ask, not before a time, and within what is left of the call's own. */
  Ask within(Ask ask, long notBefore) {
    Ask later = notBefore > ask.notBefore() ? ask.notBefore(notBefore) : ask;
    if (end == Time.NEVER) {
      return later;
    }
    Duration left = Duration.ofNanos(Math.max(0, end - time.nanos()));
    return later.within(
        later.timeout().filter(longest -> longest.compareTo(left) < 0).orElse(left));
  }
}

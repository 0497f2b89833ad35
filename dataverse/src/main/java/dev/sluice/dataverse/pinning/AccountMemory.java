package dev.sluice.dataverse.pinning;

import dev.sluice.control.quota.Observed;
import dev.sluice.control.quota.QuotaPolicy;
import dev.sluice.control.quota.QuotaProfile;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What was learned of an identity before, and what is learned of it now. It belongs to an {@link
 * Account} and is called under the gate's lock, but for {@link #learned}, which any thread may ask.
 */
final class AccountMemory {
  /** So often it is told what was learned, and sooner when nothing is out any more. */
  private static final long TOLD_EVERY = TimeUnit.SECONDS.toNanos(1);

  private static final long TOLD_LAST = TimeUnit.MILLISECONDS.toNanos(50);

  private final QuotaProfile earlier;
  private final long since;
  private int begun; // servers whose books begin with what was spent before
  private volatile Learned latest;

  private record Learned(QuotaProfile profile, long at) {}

  /** An identity of which this was learned before, and that has sent nothing until {@code now}. */
  AccountMemory(QuotaProfile earlier, long now) {
    this.earlier = earlier;
    this.since = now;
    this.latest = new Learned(earlier, now);
  }

  /** The books of the whole begin with all that was spent before. */
  void begin(QuotaPolicy whole, long now) {
    whole.remember(earlier, 1, now);
  }

  /** Those of a server begin with its part: servers take turns, so that each had about as much. */
  void beginServer(QuotaPolicy server, long now) {
    if (begun < earlier.servers()) {
      begun++;
      server.remember(earlier.aged(Duration.ofNanos(now - since)), 1.0 / earlier.servers(), now);
    }
  }

  /** An answer came. It is told now and then what was learned: every time would cost too much. */
  void answered(QuotaPolicy whole, Observed observed, int servers, boolean nothingIsOut, long now) {
    if (now - latest.at >= (nothingIsOut ? TOLD_LAST : TOLD_EVERY)) {
      Duration roundTrip = Duration.ofNanos(observed.roundTrip());
      int known = servers > 0 ? servers : earlier.servers();
      latest = new Learned(whole.learned(now).with(roundTrip, known), now);
    }
  }

  /** What was learned until a moment ago, for whoever uses this identity next. */
  QuotaProfile learned(long now) {
    Learned told = latest;
    return told.profile.aged(Duration.ofNanos(Math.max(0, now - told.at)));
  }
}

package dev.sluice.dataverse.pinning;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.quota.Observed;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.signal.Signal;
import org.jspecify.annotations.Nullable;

/**
 * What all lanes of one identity share: how many requests it has out, how its servers count, and
 * the books of the whole, which go on when pinning ends.
 *
 * <p>What was spent when a server refuses tells how servers count: less than one server's budget,
 * and they count together; that and more elsewhere, and each counts by itself. While that is open,
 * a throttle on one lane holds the others too, until one request, the probe, has been let in on
 * another. Once each server is known to count by itself, each lane waits for itself.
 *
 * <p>Its policies are called under the gate's lock, which guards all that is not volatile.
 */
final class Account {
  /** How the servers behind the lanes count. */
  enum Scope {
    UNKNOWN,
    BY_SERVER,
    TOGETHER
  }

  /** Below this share of its budget no server refuses that counts by itself. */
  private static final double OWN_BUDGET = 0.75;

  /** So many budgets cannot have been spent where there is only one. */
  private static final double SEVERAL_BUDGETS = 1.3;

  private final LaneOptions anyServer;
  private final LaneOptions oneServer;
  private final QuotaOptions limits;
  private final Observed observed;
  private final Books whole;
  private int inFlight;
  private long heldUntil;
  private @Nullable Member holder; // whose throttle it was
  private @Nullable Attempt probe;
  private volatile int lanes = 1; // set without the lock
  private volatile Scope scope = Scope.UNKNOWN; // read without the lock

  /**
   * An identity that has sent nothing until {@code now}.
   *
   * @param anyServer its lane to any server
   * @param oneServer its lane to one server
   * @param limits what one server allows it, and how many it may have out at once over all lanes
   */
  Account(
      LaneOptions anyServer,
      LaneOptions oneServer,
      QuotaOptions limits,
      Observed observed,
      long now) {
    this.anyServer = anyServer;
    this.oneServer = oneServer;
    this.limits = limits;
    this.observed = observed;
    this.whole = Books.of(anyServer, limits, observed, now);
    this.heldUntil = now;
  }

  Scope scope() {
    return scope;
  }

  /** It has so many lanes now, which share what it may have out at once. */
  void lanes(int number) {
    lanes = number;
  }

  /** Options for its lane to any server, which goes by what all lanes have done. */
  LaneOptions anyServer() {
    return anyServer.withPolicy(now -> new Member(whole, false));
  }

  /** Options for a lane to one server, which has books of its own. */
  LaneOptions oneServer() {
    return oneServer.withPolicy(
        now -> new Member(Books.of(oneServer, limits.withServers(1), observed, now), true));
  }

  private boolean isHeld(long now) {
    return heldUntil - now > 0;
  }

  @SuppressWarnings("ReferenceEquality") // two requests may look alike
  private boolean isProbe(Attempt attempt) {
    return attempt == probe;
  }

  private void hold(Member by, long until) {
    if (until - heldUntil > 0) {
      heldUntil = until;
    }
    holder = by;
  }

  /** One lane's policy: its own within what the identity may. */
  private final class Member implements Policy {
    private final Books own;
    private final boolean pinned;
    private int out;
    private boolean throttled; // by a budget, in the settlement that is under way

    Member(Books own, boolean pinned) {
      this.own = own;
      this.pinned = pinned;
    }

    @Override
    public int level(long now) {
      int most = limits.maxInFlight();
      int room = Math.min(most / lanes, out + most - inFlight);
      return Math.max(1, Math.min(own.policy().level(now), room));
    }

    @Override
    public long notBefore(long now) {
      long pace = own.policy().notBefore(now);
      return isHeld(now) && !mayPass() ? Math.max(pace, heldUntil) : pace;
    }

    private boolean mayPass() {
      return pinned
          && switch (scope) {
            case BY_SERVER -> true; // its own throttle holds the lane itself
            case UNKNOWN -> probe == null && this != holder;
            case TOGETHER -> false;
          };
    }

    @Override
    public void started(Attempt attempt, long now) {
      if (scope == Scope.UNKNOWN && pinned && isHeld(now)) {
        probe = attempt;
      }
      out++;
      inFlight++;
      own.started(attempt, now);
      if (pinned) {
        whole.started(attempt, now);
      }
    }

    @Override
    public void settled(Attempt attempt, Signal signal, long now) {
      throttled = signal instanceof Signal.Throttled refusal && isOfBudget(refusal.facet());
      if (pinned && scope == Scope.UNKNOWN) {
        learn(attempt, signal, now);
      }
      back(attempt);
      own.settled(attempt, signal, now);
      if (pinned && signal instanceof Signal.Throttled) {
        whole.abandoned(attempt, now); // one server's refusal says nothing about all of them
      } else if (pinned) {
        whole.settled(attempt, signal, now);
      }
    }

    private boolean isOfBudget(Signal.Facet facet) {
      return facet == Signal.Facet.REQUESTS || facet == Signal.Facet.EXECUTION_TIME;
    }

    private void learn(Attempt attempt, Signal signal, long now) {
      if (throttled && own.spent(now) < OWN_BUDGET) {
        scope = Scope.TOGETHER;
      } else if (throttled && whole.spent(now) > SEVERAL_BUDGETS) {
        scope = Scope.BY_SERVER;
      } else if (isProbe(attempt) && signal instanceof Signal.Success && isHeld(now)) {
        scope = Scope.BY_SERVER;
      }
    }

    @Override
    public void abandoned(Attempt attempt, long now) {
      back(attempt);
      own.abandoned(attempt, now);
      if (pinned) {
        whole.abandoned(attempt, now);
      }
    }

    private void back(Attempt attempt) {
      out--;
      inFlight--;
      if (isProbe(attempt)) {
        probe = null;
      }
    }

    @Override
    public void held(long until) {
      if (throttled) {
        throttled = false;
        hold(this, until);
      }
      own.policy().held(until);
    }

    @Override
    public double rate() {
      return own.policy().rate();
    }
  }
}

package dev.sluice.dataverse.pinning;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.quota.Observed;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.quota.QuotaPolicy;
import dev.sluice.control.signal.Signal;

/**
 * A policy, and beside it a ledger of what was spent, which is the policy itself where that spends
 * limits. Single-threaded, as every policy.
 */
record Books(Policy policy, QuotaPolicy ledger) {

  static Books of(LaneOptions lane, QuotaOptions limits, Observed observed, long now) {
    Policy policy = lane.policy().create(now);
    return new Books(
        policy,
        policy instanceof QuotaPolicy quota ? quota : new QuotaPolicy(limits, observed, now));
  }

  /** Not before when one more may be out at all; a policy that does not spend limits has none. */
  long rampsUpAt(long now) {
    return ledger == policy ? ledger.rampsUpAt(now) : Long.MIN_VALUE;
  }

  void started(Attempt attempt, long now) {
    policy.started(attempt, now);
    if (ledger != policy) {
      ledger.started(attempt, now);
    }
  }

  void settled(Attempt attempt, Signal signal, long now) {
    policy.settled(attempt, signal, now);
    if (ledger != policy) {
      ledger.settled(attempt, signal, now);
    }
  }

  void abandoned(Attempt attempt, long now) {
    policy.abandoned(attempt, now);
    if (ledger != policy) {
      ledger.abandoned(attempt, now);
    }
  }
}

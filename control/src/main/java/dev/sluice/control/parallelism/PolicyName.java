package dev.sluice.control.parallelism;

import dev.sluice.control.signal.WireName;

/** The policies that a configuration can ask for, by name. */
public enum PolicyName implements WireName {
  /** Stay at the parallelism that the service recommends. */
  FIXED,
  /** Search for it: additive increase, multiplicative decrease, execution-time ceiling. */
  AIMD,
  /** Spend the documented limits: a ledger of what was used, and a plan for what is left. */
  QUOTA
}

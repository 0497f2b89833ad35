package dev.sluice.simulator.farm;

/** How a request without an honoured affinity cookie finds its server. */
public enum Balancer {
  /** Any server, by chance. */
  RANDOM,
  /** One after the other. */
  ROUND_ROBIN,
  /** Each user stays on one server. */
  STICKY
}

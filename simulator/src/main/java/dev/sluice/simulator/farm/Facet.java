package dev.sluice.simulator.farm;

/** The three things that service protection limits, as the service itself names them. */
public enum Facet {
  /** Requests in the window. */
  REQUESTS("0x80072322"),
  /** Execution time in the window. */
  EXECUTION_TIME("0x80072321"),
  /** Requests at the same time. */
  CONCURRENCY("0x80072326");

  private final String code;

  Facet(String code) {
    this.code = code;
  }

  /** The error code in the service's answer. */
  public String code() {
    return code;
  }
}

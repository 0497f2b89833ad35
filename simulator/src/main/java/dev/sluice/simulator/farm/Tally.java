package dev.sluice.simulator.farm;

/** What became of the requests of one account. Single-threaded. */
public final class Tally {
  private long accepted;
  private long pressed;
  private long tooMany;
  private long tooLong;
  private long tooManyAtOnce;

  void accept() {
    accepted++;
  }

  void press() {
    pressed++;
  }

  void refuse(Facet facet) {
    switch (facet) {
      case REQUESTS -> tooMany++;
      case EXECUTION_TIME -> tooLong++;
      case CONCURRENCY -> tooManyAtOnce++;
    }
  }

  /** How many were let in. */
  public long accepted() {
    return accepted;
  }

  /** How many were refused for this. */
  public long refused(Facet facet) {
    return switch (facet) {
      case REQUESTS -> tooMany;
      case EXECUTION_TIME -> tooLong;
      case CONCURRENCY -> tooManyAtOnce;
    };
  }

  /** How many were refused, for whatever. */
  public long refused() {
    return tooMany + tooLong + tooManyAtOnce;
  }

  /** How many of the refused came while told to wait, late enough to know. */
  public long pressed() {
    return pressed;
  }
}

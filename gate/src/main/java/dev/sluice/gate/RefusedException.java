package dev.sluice.gate;

/** A gate did not let a caller through, or not again; {@link #refusal} says why. */
public class RefusedException extends RuntimeException {
  private final transient Refusal refusal;

  RefusedException(String message, Refusal refusal) {
    super(message);
    this.refusal = refusal;
  }

  static RefusedException of(Run run, Refusal refusal) {
    return switch (refusal) {
      case Refusal.Held held ->
          new ServiceProtectionException(held, held.lane(), 0, held.remaining(), 0);
      case Refusal.Budget spent -> new RefusedException(spent.message(run), spent);
      case Refusal.TimedOut timedOut -> new PoolExhaustedException(timedOut);
      default -> new RefusedException(refusal.message(), refusal);
    };
  }

  /** Why. */
  public Refusal refusal() {
    return refusal;
  }
}

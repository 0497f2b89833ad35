package dev.sluice.collect.run;

import dev.sluice.collect.connector.DetailStream;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.gate.RefusedException;
import dev.sluice.gate.ServiceProtectionException;
import dev.sluice.runs.gap.Miss;
import dev.sluice.runs.run.Reason;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/** What came of asking for the details of one record. Immutable. */
sealed interface Fetched {

  /** They are there. */
  record Had() implements Fetched {}

  /** They could not be had, now or ever. */
  record Missed(Miss miss, Stop stop) implements Fetched {}

  /** Asks; all of one record's details or nothing. */
  interface Question {
    void ask() throws ProviderException, IOException, InterruptedException;
  }

  /**
   * Asks, and says what came of it.
   *
   * @param stream knows which answers are final
   */
  static Fetched from(RunContext context, DetailStream stream, Question question)
      throws InterruptedException {
    long before = context.account().budget().used();
    try {
      question.ask();
      return new Had();
    } catch (RefusedException e) {
      boolean sent = context.account().budget().used() > before;
      return new Missed(miss(Stop.of(e), sent, told(context, e)), Stop.of(e));
    } catch (ProviderException e) {
      Stop stop = Stop.of(e);
      if (stop.endsRun()) {
        return new Missed(new Miss.NotSent(e.reason()), stop); // it says nothing of this record
      }
      return new Missed(
          stream.isGone(e.status())
              ? new Miss.Gone(e.reason())
              : new Miss.Refused(e.reason(), Optional.empty()),
          stop);
    } catch (IOException e) {
      Stop stop = Stop.of(e);
      return new Missed(miss(stop, true, Optional.empty()), stop);
    }
  }

  /** What a gap keeps of details that nobody asked for, because the run had to stop. */
  static Miss miss(Stop stop, boolean sent, Optional<Instant> told) {
    return switch (stop) {
      case Stop.Deferred(Reason.Deferral reason, String detail) ->
          sent ? new Miss.PutOff(reason, told) : new Miss.NotSent(reason);
      case Stop.Failed(Reason.Failure reason, String detail) -> new Miss.NotSent(reason);
      // Nobody's reason: the run was ended from outside.
      case Stop.Cancelled cancelled -> new Miss.NotSent(Reason.Planned.WALL_CLOCK);
      case Stop.TakenOver over -> new Miss.NotSent(Reason.Planned.WALL_CLOCK);
    };
  }

  private static Optional<Instant> told(RunContext context, RefusedException refused) {
    return refused instanceof ServiceProtectionException throttled
            && throttled.retryAfter().isPositive()
        ? Optional.of(context.time().instant().plus(throttled.retryAfter()))
        : Optional.empty();
  }
}

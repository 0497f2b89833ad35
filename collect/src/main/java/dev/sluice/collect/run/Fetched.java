package dev.sluice.collect.run;

import dev.sluice.collect.connector.DetailStream;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.ReadAgainException;
import dev.sluice.gate.Refusal;
import dev.sluice.gate.RefusedException;
import dev.sluice.gate.ServiceProtectionException;
import dev.sluice.runs.gap.Miss;
import dev.sluice.runs.lease.LeaseLostException;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.StoreException;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What came of asking for the details of one record. Immutable. */
sealed interface Fetched {
  Logger log = LoggerFactory.getLogger(Fetched.class);

  /** They are there. */
  record Had() implements Fetched {}

  /**
   * They could not be had, now or ever.
   *
   * @param stop what ends the run as well; empty if it is this record's trouble alone
   */
  record Missed(Miss miss, Optional<Stop> stop) implements Fetched {}

  /**
   * Asks for all of one record's details, and says what came of it.
   *
   * @param stream knows which answers are final
   * @param asker through whom the question is asked
   */
  static Fetched from(
      RunContext context, DetailStream stream, Asker asker, ReadAgainException.Reading question)
      throws InterruptedException {
    long before = asker.sent();
    try {
      ReadAgainException.untilItCounts(question);
      return new Had();
    } catch (RefusedException e) {
      Stop stop = Stop.of(e);
      return new Missed(
          miss(stop, asker.sent() > before, told(context, e)),
          // Without a retry this one has to wait, and others may need none.
          e.refusal() == Refusal.Budget.RETRY_BUDGET ? Optional.empty() : Optional.of(stop));
    } catch (StreamFailsException e) {
      // A try, whether this one or others of its stream were sent: no run comes back to it at once.
      return new Missed(
          new Miss.PutOff(Reason.Pressure.UPSTREAM_PRESSURE, Optional.empty()),
          Optional.of(Stop.of(e)).filter(Stop::endsRun));
    } catch (PutOffException e) {
      // The same; recovery comes back when it was told to.
      return new Missed(
          new Miss.PutOff(Reason.Pressure.RATE_LIMITED, Optional.of(e.until())), Optional.empty());
    } catch (ProviderException e) {
      Stop stop = Stop.of(e);
      if (stop.endsRun()) { // it says nothing of this record
        return new Missed(new Miss.NotSent(e.reason()), Optional.of(stop));
      }
      return new Missed(
          stream.isGone(e.status())
              ? new Miss.Gone(e.reason())
              : new Miss.Refused(e.reason(), Optional.empty()),
          Optional.empty());
    } catch (FailsAloneException e) {
      return new Missed(new Miss.Failing(), Optional.empty());
    } catch (IOException e) {
      // Perhaps this record's alone: if not, the circuit ends the run.
      return new Missed(
          new Miss.PutOff(Reason.Pressure.UPSTREAM_PRESSURE, Optional.empty()), Optional.empty());
    } catch (StoreException | LeaseLostException e) {
      throw e;
    } catch (RuntimeException e) { // a connector's bug is this record's trouble, not the run's
      log.error("a connector has a bug", e);
      return new Missed(
          new Miss.Refused(Reason.Failure.UNEXPECTED_CONTENT, Optional.empty()), Optional.empty());
    }
  }

  /** What a gap keeps of details that nobody asked for, because the run had to stop. */
  static Miss miss(Stop stop, boolean sent, Optional<Instant> told) {
    return switch (stop) {
      case Stop.Deferred(Reason.Deferral reason, String detail) ->
          sent ? new Miss.PutOff(reason, told) : new Miss.NotSent(reason);
      case Stop.PutOff putOff -> new Miss.NotSent(Reason.Pressure.RATE_LIMITED);
      case Stop.StreamDeferred(Reason.Pressure reason, String detail) ->
          sent ? new Miss.PutOff(reason, told) : new Miss.NotSent(reason);
      case Stop.Failed(Reason.Failure reason, String detail) -> new Miss.NotSent(reason);
      case Stop.Cancelled cancelled -> new Miss.NotSent(Reason.Planned.CANCELLED);
      // Nothing of this run counts any more: whoever took the track over writes its gaps.
      case Stop.TakenOver over -> new Miss.NotSent(Reason.Planned.CANCELLED);
    };
  }

  private static Optional<Instant> told(RunContext context, RefusedException refused) {
    return refused instanceof ServiceProtectionException throttled
            && throttled.retryAfter().isPositive()
        ? Optional.of(context.time().instant().plus(throttled.retryAfter()))
        : Optional.empty();
  }
}

package dev.sluice.dataverse.bulk;

import dev.sluice.control.policy.Figures;
import dev.sluice.control.retry.Backoff;
import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.bulk.BulkProgress.IdleCause;
import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.message.Result;
import dev.sluice.dataverse.table.Table;
import dev.sluice.gate.Ask;
import dev.sluice.gate.Call;
import dev.sluice.gate.Call.Reply;
import dev.sluice.gate.Permit;
import dev.sluice.gate.Refusal;
import dev.sluice.gate.RefusedException;
import dev.sluice.gate.http.Signals;
import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The task that carries one composition until each of its items has an outcome or goes on in
 * another. Its state is guarded by the lock of its {@link BulkRun}; all else is its own.
 */
final class Carrier {
  private static final Logger log = LoggerFactory.getLogger(BulkOperationExecutor.class);
  private static final Duration CONTENTION = Duration.ofMillis(500);
  private static final Duration CONTENTION_CAP = Duration.ofSeconds(10);

  /** What it is doing: only one that sends is left alone when the job stops. */
  enum State {
    AT_GATE,
    SENDING,
    RESTING
  }

  private final BulkRun run;
  private final BulkJob job;
  private final Time time;
  private final Composition composition;
  private final Backoff contention;
  private final Object identity = new Object(); // keeps no rows alive where calls are remembered
  private State state = State.AT_GATE;
  private Time.@Nullable Task task;
  private IdleCause waitedFor = IdleCause.INPUT;
  private long atGateSince;
  private long restsUntil;
  private boolean restWasTold;
  private Duration told = Duration.ZERO; // the wait that the last answer asked of this message
  private List<Item> open; // those of its items that have no outcome yet

  Carrier(BulkRun run, Composition composition) {
    this.run = run;
    this.job = run.job();
    this.time = run.time();
    this.composition = composition;
    this.open = composition.items();
    this.contention = new Backoff(CONTENTION, CONTENTION_CAP, Duration.ZERO, time.random());
  }

  void startedAs(Time.Task started) {
    task = started;
  }

  void interrupt() {
    if (task != null) {
      task.interrupt();
    }
  }

  void moveTo(State next) {
    state = next;
  }

  boolean isAtGate() {
    return state == State.AT_GATE;
  }

  boolean isResting() {
    return state == State.RESTING;
  }

  /** It failed, and is not sent again before then. */
  void rest(long until, boolean told) {
    state = State.RESTING;
    restsUntil = until;
    restWasTold = told;
  }

  /** Until when it rests, if it does. */
  long restsUntil() {
    return restsUntil;
  }

  /** Whether the service asked for that wait. */
  boolean restWasTold() {
    return restWasTold;
  }

  boolean isSending() {
    return state == State.SENDING;
  }

  /** Since when it has asked for its permit. */
  long atGateSince() {
    return atGateSince;
  }

  /** What it waited for before that. */
  IdleCause waitedFor() {
    return waitedFor;
  }

  /** The task's body. */
  void carry() {
    boolean through = false;
    try {
      if (!composition.begun()) {
        composition.begunAs(job.journal().begin(composition.items()));
      }
      deliver();
      through = true;
    } catch (RefusedException e) {
      run.stop(new BulkEnd.Refused(e.refusal()));
    } catch (StoppedException | InterruptedException e) {
      log.debug("a batch is given back, because the job was stopped");
    } catch (IOException e) { // told by how the job ended, once for all batches
      log.debug("a batch is given back: {}", e.getMessage());
      run.stop(new BulkEnd.Broken(e));
    } catch (RuntimeException e) { // a listener's or a journal's: its records are given back, too
      log.error("a batch is given back", e);
      run.stop(new BulkEnd.Broken(e));
    } catch (Error e) { // such as no memory: the job ends, and can be gone on with
      log.error("a batch is given back", e);
      run.stop(
          new BulkEnd.Broken(new IllegalStateException("a batch was not carried out: " + e, e)));
    } finally {
      if (!through) {
        run.giveBack(open, composition.maybeDone());
      }
      run.ended(this);
    }
  }

  private void deliver() throws IOException, InterruptedException {
    boolean through = false;
    while (!through) {
      if (run.asksRowByRow(composition)) {
        composition.askRowByRow();
      }
      if (composition.size() > run.most(composition)) {
        goOnAs(composition.parts(run.most(composition)));
        return;
      }
      Delivery delivery = send();
      if (delivery == null) {
        goOn(composition);
        return;
      }
      told = delivery.told();
      through =
          switch (delivery.result()) {
            case Result.Done done -> allDone();
            case Result.Each each -> settleEach(each.faults());
            case Result.Refused refused ->
                follow(verdict(refused.fault(), delivery), refused.fault());
          };
    }
  }

  private Verdict verdict(Fault fault, Delivery delivery) {
    if (delivery.notSent()) {
      return Verdict.onNoConnection(fault, composition);
    }
    return Verdict.on(fault, composition, job.operation(), isAllOrNothing());
  }

  /** A bulk message to a standard table is; the parts of a batch, and elastic rows, are not. */
  private boolean isAllOrNothing() {
    Table table = run.table(composition);
    return composition.size() == 1
        || (!table.elastic() && table.bulk().contains(job.operation().bulkMessage()));
  }

  /** Returns whether the composition is through. */
  private boolean follow(Verdict verdict, Fault fault) throws IOException, InterruptedException {
    return switch (verdict) {
      case Verdict.Done done -> allDone();
      case Verdict.LookUp look ->
          look(composition) == LookUp.Sight.THERE
              ? allDone()
              : rest(run.gate().backoff(), look.tries(), fault);
      case Verdict.LookUpOnce look ->
          switch (look(composition)) {
            case THERE -> allDone();
            case NOT_THERE -> follow(look.otherwise(), fault);
            case UNSEEN -> follow(Verdict.unknown(fault, composition, false), fault);
          };
      case Verdict.Again again ->
          rest(composition.maybeDone() ? run.gate().backoff() : contention, again.tries(), fault);
      case Verdict.FallBack other -> {
        run.withoutBulkMessage();
        yield rest(contention, 0, fault);
      }
      case Verdict.Reject reject -> {
        Item item = composition.first();
        settle(List.of(new RecordOutcome.Rejected(item.index(), item.key(), reject.fault())));
        yield true;
      }
      case Verdict.Halve halve -> {
        if (isForRows(fault) && run.asksRowByRow(composition)) {
          yield false;
        }
        goOnAs(composition.halves());
        run.halved(composition.size(), halve.tooMuch());
        yield true;
      }
      case Verdict.Stop reason -> {
        run.stop(reason.end());
        throw new StoppedException();
      }
    };
  }

  private boolean allDone() throws IOException, InterruptedException {
    List<RecordOutcome> outcomes = new ArrayList<>(composition.size());
    for (Item item : composition.items()) {
      outcomes.add(new RecordOutcome.Done(item.index(), item.key()));
    }
    settle(outcomes);
    return true;
  }

  private void settle(List<RecordOutcome> outcomes) throws IOException, InterruptedException {
    report(open, outcomes, List.of());
    job.journal().finish(composition.number(), outcomes);
  }

  private void report(List<Item> settled, List<RecordOutcome> outcomes, List<Item> left) {
    open = left;
    run.report(settled, outcomes);
  }

  /** Each item for itself: in, refused, or to be tried again with others of that kind. */
  private boolean settleEach(List<@Nullable Fault> faults)
      throws IOException, InterruptedException {
    List<Item> settled = new ArrayList<>();
    List<RecordOutcome> outcomes = new ArrayList<>();
    List<Item> again = new ArrayList<>();
    boolean unknown = false;
    boolean failed = false; // otherwise the lane's hold is all that has to be waited for
    BulkEnd end = null;
    for (int i = 0; i < composition.size(); i++) {
      Item item = composition.items().get(i);
      Fault fault = onRepeat(item, faults.get(i));
      if (fault == null) {
        settled.add(item);
        outcomes.add(new RecordOutcome.Done(item.index(), item.key()));
      } else if (isThrottle(fault)) {
        again.add(item);
      } else if (mayPass(fault) && composition.rowRetries() < Verdict.UNKNOWN_RETRIES) {
        again.add(item);
        failed = true;
        unknown |= isUnknown(fault);
      } else if (isUnknown(fault)) { // only the service's own word rejects a record
        again.add(item);
        unknown = true;
        end = new BulkEnd.Unreachable(fault);
      } else if (isForAll(fault)) { // only a word about this record does
        again.add(item);
        end = new BulkEnd.Forbidden(fault);
      } else {
        settled.add(item);
        outcomes.add(new RecordOutcome.Rejected(item.index(), item.key(), fault));
      }
    }
    if (again.isEmpty()) {
      settle(outcomes);
      return true;
    }
    report(settled, outcomes, again);
    Composition remainder = composition.remainder(again, failed, unknown);
    replaceBy(List.of(remainder), outcomes);
    if (end != null) {
      run.stop(end); // and what is left is given back
    } else if (failed) {
      sleep(run.gate().backoff(), composition.rowRetries() + 1, "rows");
    }
    goOn(remainder);
    return true;
  }

  /** What a row's fault means where the row may have been written before; null if it was. */
  private @Nullable Fault onRepeat(Item item, @Nullable Fault fault) throws InterruptedException {
    if (!composition.maybeDone()) {
      return fault;
    }
    return switch (fault) {
      case Fault.NotFound missing when job.operation() == Operation.DELETE -> null;
      case Fault.Duplicate duplicate
          when duplicate.ofPrimaryKey() && job.operation() == Operation.CREATE ->
          item.ours()
              ? null
              : switch (look(new Composition(List.of(item)))) {
                case THERE -> null;
                case NOT_THERE -> duplicate;
                case UNSEEN -> new Fault.UnknownOutcome(duplicate.code(), duplicate.message());
              };
      case null, default -> fault;
    };
  }

  private static boolean isThrottle(@Nullable Fault fault) {
    return fault instanceof Fault.ServiceProtection || fault instanceof Fault.Busy;
  }

  /** Whether it is some rows that are refused, and others may pass. */
  private static boolean isForRows(Fault fault) {
    return switch (fault) {
      case Fault.Validation invalid -> true;
      case Fault.NotFound missing -> true;
      case Fault.Duplicate duplicate -> true;
      case Fault.Privilege denied -> true;
      default -> false;
    };
  }

  /** Whether it refuses every row, or none: the user, the environment or the table is the cause. */
  private static boolean isForAll(Fault fault) {
    return switch (fault) {
      case Fault.Privilege denied -> Verdict.isForAll(denied);
      case Fault.Authentication refused -> true;
      case Fault.Unsupported unsupported -> true;
      default -> false;
    };
  }

  private static boolean mayPass(Fault fault) {
    return switch (fault) {
      case Fault.Authentication refused -> true; // another token, or another user's
      case Fault.Deadlock deadlock -> true;
      case Fault.TablePreparation race -> true;
      case Fault.SqlTimeout timeout -> true;
      default -> isUnknown(fault);
    };
  }

  private static boolean isUnknown(Fault fault) {
    return fault instanceof Fault.UnknownOutcome || fault instanceof Fault.NotDataverse;
  }

  /** Outcomes were told before the journal forgets the composition; its parts go out after that. */
  private void replaceBy(List<Composition> parts, List<RecordOutcome> outcomes)
      throws IOException, InterruptedException {
    List<Long> numbers =
        job.journal()
            .replace(
                composition.number(), outcomes, parts.stream().map(Composition::items).toList());
    for (int i = 0; i < parts.size(); i++) {
      parts.get(i).begunAs(numbers.get(i));
    }
  }

  /** These parts go on in its place, once that is written down. */
  private void goOnAs(List<Composition> parts) throws IOException, InterruptedException {
    replaceBy(parts, List.of());
    open = List.of();
    run.goOnAs(parts);
  }

  private void goOn(Composition left) {
    open = List.of();
    run.goOn(left);
  }

  /** One message through the gate; null if it has to stand in line again. */
  private @Nullable Delivery send() throws InterruptedException {
    long successes = run.successes();
    Message message = new Message();
    try {
      Result result = run.gate().call(job.run(), run.calls().withAsk(ask()), message);
      return new Delivery(result, false, message.told);
    } catch (IOException e) {
      Fault fault = new Fault.UnknownOutcome("", String.valueOf(e.getMessage()));
      return new Delivery(new Result.Refused(fault), isNotSent(e), Duration.ZERO);
    } catch (RefusedException e) {
      failUnlessOthersGetThrough(e, successes);
      return null;
    }
  }

  /**
   * What one message came to.
   *
   * @param notSent whether the service is certain not to have seen it
   * @param told how long the answer asks to wait before it is sent again
   */
  private record Delivery(Result result, boolean notSent, Duration told) {}

  /** The composition as the gate sends it. */
  private final class Message implements Call<Result, IOException> {
    private Duration told = Duration.ZERO;

    @Override
    public Reply<Result> send(Permit permit) throws IOException, InterruptedException {
      Table table = run.table(composition);
      long sent = time.nanos();
      Reply<Result> reply =
          sendWhileRunning(
              permit,
              () ->
                  run.messenger()
                      .send(
                          permit.lane(),
                          table,
                          job.operation(),
                          composition.items(),
                          job.options().message()));
      if (reply.value() instanceof Result.Done && !composition.isRowByRow()) {
        run.answered(composition.size(), time.nanos() - sent);
      }
      noteWhoAnswered(reply.value());
      told = reply.signal() instanceof Signal.Transient lost ? lost.retryAfter() : Duration.ZERO;
      boolean inPart =
          reply.value() instanceof Result.Each(List<@Nullable Fault> faults)
              && !faults.stream().allMatch(Carrier::isThrottle);
      return inPart ? reply.throttledInPart() : reply;
    }

    private void noteWhoAnswered(Result result) {
      switch (result) {
        case Result.Refused(Fault.NotDataverse foreign) -> run.answeredBy(foreign);
        case Result.Refused(Fault.TooLarge bare) when bare.code().isEmpty() -> {
          if (composition.size() == 1) { // many may be too large for a gateway; one is not
            run.answeredBy(new Fault.NotDataverse("", bare.message()));
          }
        }
        default -> run.answeredBy(null);
      }
    }

    /** The service has forgotten the token that was refused. */
    @Override
    public boolean renew() {
      return true;
    }
  }

  /** Asks whether these rows are in. */
  private LookUp.Sight look(Composition rows) throws InterruptedException {
    long successes = run.successes();
    try {
      return new LookUp(run, rows, this).look(run.calls().repeatable().withAsk(ask()));
    } catch (IOException e) {
      return LookUp.Sight.UNSEEN;
    } catch (RefusedException e) {
      failUnlessOthersGetThrough(e, successes);
      return LookUp.Sight.UNSEEN;
    }
  }

  /** A request as the messenger sends it. */
  interface Request<T extends @Nullable Object> {
    Reply<T> send() throws IOException, InterruptedException;
  }

  /** Sends, unless the job was stopped meanwhile. */
  <T extends @Nullable Object> Reply<T> sendWhileRunning(Permit permit, Request<T> request)
      throws IOException, InterruptedException {
    if (!run.sending(this)) {
      permit.abandon();
      throw new StoppedException();
    }
    Signal signal = null;
    try {
      Reply<T> reply = request.send();
      signal = reply.signal();
      return reply;
    } catch (InterruptedException | RuntimeException | Error e) {
      int unused = composition.outcomeUnknown();
      throw e;
    } finally {
      atGateSince = time.nanos();
      run.returned(this, signal);
    }
  }

  /** However often a message is repeated, it counts once against the service's health. */
  private Ask ask() {
    atGateSince = time.nanos();
    return Ask.patient().forWork(run.work(composition)).onBehalfOf(identity);
  }

  /**
   * A message out of throttle retries is not the end of the job as long as somebody gets through;
   * any other refusal is.
   *
   * @param successes of the job before what was refused was asked for
   */
  private void failUnlessOthersGetThrough(RefusedException refused, long successes) {
    if (!(refused.refusal() instanceof Refusal.GivenUp) || run.successes() == successes) {
      throw refused;
    }
    log.debug("a batch stands in line again: others get through");
  }

  /** Returns false: the composition is not through. */
  private boolean rest(Backoff backoff, int tries, Fault fault) throws InterruptedException {
    sleep(backoff, tries, fault.wireName());
    return false;
  }

  private void sleep(Backoff backoff, int tries, String cause) throws InterruptedException {
    Duration own = Duration.ofNanos(backoff.nanos(Math.max(0, tries - 1)));
    boolean asked = told.isPositive() && told.compareTo(own) >= 0;
    Duration wait = asked ? told : own;
    waitedFor = IdleCause.BACKOFF;
    if (told.isPositive()) {
      log.warn(
          "a message of {} records is sent again in {}: the service failed ({}) and asked for {}",
          composition.size(),
          Figures.time(wait.toNanos()),
          cause,
          asked ? "that wait" : "a shorter wait of " + Figures.time(told.toNanos()));
    }
    long until = time.deadline(wait);
    run.resting(this, until, asked, cause);
    time.sleepUntil(until);
    run.rested(this);
  }

  private static boolean isNotSent(IOException failure) {
    return Signals.failed(failure) instanceof Signal.Transient lost
        && !lost.kind().outcomeUnknown();
  }

  /** The job was stopped before this was sent. */
  private static final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StoppedException() {
      super("the job was stopped", null, false, false);
    }
  }
}

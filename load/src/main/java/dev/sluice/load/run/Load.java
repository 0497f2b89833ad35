package dev.sluice.load.run;

import static java.util.Objects.requireNonNull;

import dev.sluice.dataverse.bulk.BulkEnd;
import dev.sluice.dataverse.bulk.BulkOperationExecutor;
import dev.sluice.gate.Refusal;
import dev.sluice.gate.time.Time;
import dev.sluice.load.RowIds;
import dev.sluice.load.input.BadInputException;
import dev.sluice.load.input.Input;
import dev.sluice.load.input.RecordReader;
import dev.sluice.load.mapping.MappingException;
import dev.sluice.load.mapping.RowMapper;
import dev.sluice.load.reject.RejectFile;
import dev.sluice.runs.journal.Journal;
import dev.sluice.runs.lease.Claim;
import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Loads an input into a table, once: an envelope, a lease, a journal, and deferral instead of
 * failure. Killed at any moment, the same load started again goes on, repeats only what has no
 * outcome on record, harmlessly, and ends with the same table.
 *
 * <p>{@link #progress} and {@link #cancel} may be called by any thread.
 */
public final class Load {
  /** The kind under which the store keeps loads. */
  public static final String KIND = "load";

  private final LoadRequest request;
  private final BulkOperationExecutor executor;
  private final Store store;
  private final Time time;
  private final AtomicReference<@Nullable Sending> active = new AtomicReference<>();

  /** A load that has not begun. */
  public Load(LoadRequest request, BulkOperationExecutor executor, Store store, Time time) {
    this.request = requireNonNull(request, "request");
    this.executor = requireNonNull(executor, "executor");
    this.store = requireNonNull(store, "store");
    this.time = requireNonNull(time, "time");
  }

  /**
   * Carries it out.
   *
   * @throws LoadException if it cannot begin
   * @throws MappingException if columns have no place in the table
   * @throws IOException if the input cannot be read, or the reject file not be opened
   */
  public LoadResult run(InputStream standardInput)
      throws LoadException, MappingException, IOException {
    CountedStream stream = open(standardInput);
    try (RecordReader reader = Input.read(displayName(), stream, request.input())) {
      Leases leases = new Leases(store, time);
      return switch (leases.take(name())) {
        case Claim.Held held -> throw new AlreadyRunningException(held.message());
        case Claim.Taken taken -> {
          try (Lease lease = taken.lease()) {
            yield load(lease, reader, stream);
          }
        }
      };
    }
  }

  /** Where it stands; empty until it has begun to send. */
  public Optional<LoadProgress> progress() {
    Sending now = active.get();
    return now == null ? Optional.empty() : now.progress();
  }

  /** Sends nothing more, and lets what is with the service come back within {@code grace}. */
  public void cancel(Duration grace) {
    Sending now = active.get();
    if (now != null) {
      now.cancel(grace);
    }
  }

  /** Under which name the store knows it. */
  public String name() {
    return name(request.environment(), request.table().logicalName(), request.source());
  }

  private static String name(String environment, String table, String source) {
    String input =
        source.equals(Input.STANDARD_INPUT)
            ? source
            : Path.of(source).toAbsolutePath().normalize().toString();
    return "%s %s %s".formatted(environment, table, input);
  }

  /**
   * Looks whether a load could begin, before anything is asked of the service: the same input into
   * the same table is the same load.
   *
   * @param table its logical name
   * @throws AlreadyRunningException if another process is at it
   */
  public static void checkFree(
      String environment, String table, String source, Store store, Time time)
      throws AlreadyRunningException {
    Optional<Claim.Held> held = new Leases(store, time).held(name(environment, table, source));
    if (held.isPresent()) {
      throw new AlreadyRunningException(held.get().message());
    }
  }

  private LoadResult load(Lease lease, RecordReader reader, CountedStream stream)
      throws LoadException, MappingException, IOException {
    Runs runs = new Runs(store, time);
    RunRecord unfinished = runs.last(KIND, name()).filter(RunRecord::resumable).orElse(null);
    RunRecord earlier = request.restart() ? null : unfinished;
    String work = request.identityOfWork();
    if (earlier != null && !earlier.options().equals(work)) {
      throw new LoadException(
          "an unfinished load of this input was started with other options (%s; now %s); finish it"
                  .formatted(earlier.options(), work)
              + " with the options that it had, or start over with --restart");
    }
    boolean resumed = earlier != null;
    // Columns are looked at before anything is stored: a mistake there is not a run.
    RowMapper unused = request.mapper(reader, new RowIds(0, 0));
    Path file = RejectFile.beside(request.source(), reader.layout());
    if (!resumed) {
      // Before there is a run to go on with: what is there afterwards is this run's own.
      RejectFile.setAside(file);
    }
    RunRecord run =
        earlier == null ? runs.begin(lease, KIND, name(), work) : runs.resume(lease, earlier, work);
    if (earlier == null && unfinished != null) {
      // Only now: until there is another, the unfinished one can be gone on with.
      forgetLookups(lease, unfinished.origin());
    }
    AtomicReference<@Nullable RejectFile> opened = new AtomicReference<>();
    Outcome outcome = new Outcome.Failed(Reason.Failure.STORAGE, "");
    try (Journal journal = Journal.open(store, time, lease, run, () -> sync(opened.get()))) {
      try (RejectFile rejects =
          RejectFile.reopened(
              file,
              reader.layout(),
              reader.columns(),
              request.names(),
              journal.resume().sidecarLength())) {
        opened.set(rejects);
        Sending sending =
            new Sending(
                request,
                executor,
                store,
                journal,
                rejects,
                new RowIds(run.begun().toEpochMilli(), run.nonce() >>> 30),
                run.origin(),
                reader,
                stream);
        active.set(sending);
        LoadResult result = result(sending.run(), sending, rejects, resumed);
        outcome = result.outcome();
        if (!outcome.resumable()) {
          forgetLookups(lease, run.origin());
        }
        return result;
      }
    } catch (LoadException | MappingException e) {
      outcome = new Outcome.Failed(Reason.Failure.INVALID, String.valueOf(e.getMessage()));
      throw e;
    } finally {
      end(runs, lease, run, outcome);
    }
  }

  private static LoadResult result(
      BulkEnd end, Sending sending, RejectFile rejects, boolean resumed) {
    LoadProgress progress = sending.progress().orElseThrow();
    boolean anyRejected = progress.rejected() > 0;
    long deferred = progress.read() - progress.done() - progress.rejected();
    Outcome outcome = outcome(end, anyRejected);
    if (end instanceof BulkEnd.Cancelled && sending.stoppedByRejects()) {
      outcome =
          deferred == 0 && sending.complete()
              ? new Outcome.CompletedWithRejections() // those were the last
              : new Outcome.Failed(
                  Reason.Failure.TOO_MANY_REJECTS,
                  sending.rejectWords() + progress.reasons().words());
    }
    return new LoadResult(
        outcome,
        progress,
        deferred,
        sending.complete(),
        anyRejected ? Optional.of(rejects.file()) : Optional.empty(),
        resumed);
  }

  /** What was kept to set look-ups within the input is of no use any more. */
  private void forgetLookups(Lease lease, long origin) {
    RowNames names = new RowNames(origin, new RowIds(0, 0));
    boolean more = true;
    while (more) {
      more =
          store.write(
              transaction -> {
                lease.guard(transaction);
                new WaitingRows(origin).forget(transaction);
                return names.forgetSome(transaction);
              });
    }
  }

  private static Outcome outcome(BulkEnd end, boolean anyRejected) {
    return switch (end) {
      case BulkEnd.Completed completed ->
          anyRejected ? new Outcome.CompletedWithRejections() : new Outcome.Completed();
      case BulkEnd.Cancelled cancelled -> new Outcome.Cancelled();
      case BulkEnd.Refused(Refusal refusal) -> refused(refusal);
      case BulkEnd.Unreachable(var fault) ->
          new Outcome.Deferred(Reason.Pressure.UPSTREAM_PRESSURE, fault.message());
      case BulkEnd.Forbidden(var fault) ->
          new Outcome.Failed(Reason.Failure.FORBIDDEN, fault.message());
      case BulkEnd.Broken(BadInputException cause) ->
          new Outcome.Failed(Reason.Failure.INVALID, String.valueOf(cause.getMessage()));
      case BulkEnd.Broken(Exception cause) ->
          new Outcome.Failed(Reason.Failure.STORAGE, String.valueOf(cause.getMessage()));
    };
  }

  private static Outcome refused(Refusal refusal) {
    return switch (refusal) {
      case Refusal.Planned planned -> new Outcome.Deferred(Reason.of(planned), refusal.message());
      case Refusal.Pressure pressure ->
          new Outcome.Deferred(Reason.of(pressure), refusal.message());
      case Refusal.Stopped stopped ->
          new Outcome.Failed(Reason.Failure.AUTH_FAILURE, refusal.message());
      default -> new Outcome.Deferred(Reason.Pressure.UPSTREAM_PRESSURE, refusal.message());
    };
  }

  private void end(Runs runs, Lease lease, RunRecord run, Outcome outcome) {
    Map<String, Long> counts =
        progress()
            .map(
                progress ->
                    Map.of(
                        "read", progress.read(),
                        "done", progress.done(),
                        "rejected", progress.rejected(),
                        "messages", progress.sending().messages()))
            .orElse(Map.of());
    runs.end(lease, run, outcome, counts);
  }

  private static long sync(@Nullable RejectFile rejects) throws IOException {
    return rejects == null ? 0 : rejects.sync();
  }

  private CountedStream open(InputStream standardInput) throws IOException {
    return new CountedStream(
        request.readsStandardInput() ? standardInput : Input.file(request.source()));
  }

  private String displayName() {
    return request.readsStandardInput() ? "standard input" : request.source();
  }
}

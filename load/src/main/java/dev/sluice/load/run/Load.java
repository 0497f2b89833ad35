package dev.sluice.load.run;

import static java.util.Objects.requireNonNull;

import dev.sluice.dataverse.bulk.BulkEnd;
import dev.sluice.dataverse.bulk.BulkOperationExecutor;
import dev.sluice.dataverse.fault.Fault;
import dev.sluice.gate.Refusal;
import dev.sluice.gate.time.Time;
import dev.sluice.load.RowIds;
import dev.sluice.load.input.BadInputException;
import dev.sluice.load.input.Input;
import dev.sluice.load.input.Layout;
import dev.sluice.load.input.RecordReader;
import dev.sluice.load.mapping.MappingException;
import dev.sluice.load.mapping.RowMapper;
import dev.sluice.load.reject.RejectFile;
import dev.sluice.load.run.KnownLoads.Decision;
import dev.sluice.load.run.KnownLoads.Known;
import dev.sluice.runs.journal.Journal;
import dev.sluice.runs.lease.Claim;
import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.lease.LeaseLostException;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
  private final @Nullable LoadIdentity known;
  private final BulkOperationExecutor executor;
  private final Store store;
  private final Time time;
  private final AtomicReference<@Nullable Sending> active = new AtomicReference<>();

  /** A load that has not begun. */
  public Load(LoadRequest request, BulkOperationExecutor executor, Store store, Time time) {
    this(request, null, executor, store, time);
  }

  /**
   * A load that has not begun.
   *
   * @param identity of what is requested; null if the input was not read for it yet
   */
  public Load(
      LoadRequest request,
      @Nullable LoadIdentity identity,
      BulkOperationExecutor executor,
      Store store,
      Time time) {
    this.request = requireNonNull(request, "request");
    this.known = identity;
    this.executor = requireNonNull(executor, "executor");
    this.store = requireNonNull(store, "store");
    this.time = requireNonNull(time, "time");
  }

  /**
   * Carries it out.
   *
   * @throws LoadException if it cannot begin
   * @throws AlreadyRunningException if another process is at it
   * @throws AlreadyLoadedException if it was carried out before, and is not wanted again
   * @throws MappingException if columns have no place in the table
   * @throws IOException if the input cannot be read, or the reject file not be opened
   */
  public LoadResult run(InputStream standardInput)
      throws LoadException, MappingException, IOException {
    LoadIdentity identity = known == null ? LoadIdentity.of(request) : known;
    CountedStream stream = open(standardInput, identity);
    try (RecordReader reader = Input.read(displayName(), stream, request.input())) {
      Decision decision = decide(request, identity, store, time);
      String name =
          decision instanceof Decision.Resume(Known earlier) ? earlier.lease() : identity.lease();
      return switch (new Leases(store, time).take(name)) {
        case Claim.Held held -> throw running(identity, Optional.of(held));
        case Claim.Taken taken -> {
          try (Lease lease = taken.lease()) {
            yield load(lease, identity, reader, stream);
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

  /**
   * Looks whether a load could begin, before anything is asked of the service.
   *
   * @throws LoadException if it cannot begin
   * @throws AlreadyRunningException if another process is at it
   * @throws AlreadyLoadedException if it was carried out before, and is not wanted again
   */
  public static void check(LoadRequest request, LoadIdentity identity, Store store, Time time)
      throws LoadException {
    Decision unused = decide(request, identity, store, time);
  }

  /** Whether it begins or goes on. */
  private static Decision decide(LoadRequest request, LoadIdentity identity, Store store, Time time)
      throws LoadException {
    KnownLoads loads = new KnownLoads(identity, request.restart(), request.again());
    Decision decision = store.read(loads::decide);
    switch (decision) {
      case Decision.Begin begin -> {}
      case Decision.Resume resume -> {}
      case Decision.Refused(String message) -> throw new LoadException(message);
      case Decision.Running(Known other) ->
          throw running(identity, new Leases(store, time).held(other.lease()));
      case Decision.Finished(Known earlier) ->
          throw new AlreadyLoadedException(
              loads.finished(earlier),
              earlier.last(),
              earlier.rejected() > 0 ? Optional.of(Path.of(earlier.rejects())) : Optional.empty());
    }
    return decision;
  }

  private static AlreadyRunningException running(LoadIdentity identity, Optional<Claim.Held> held) {
    return new AlreadyRunningException(
        held.map(by -> new Claim.Held(identity.name(), by.holder(), by.since(), by.until()))
            .map(Claim.Held::message)
            .orElse("another process is at '%s'".formatted(identity.name())));
  }

  private LoadResult load(
      Lease lease, LoadIdentity identity, RecordReader reader, CountedStream stream)
      throws LoadException, MappingException, IOException {
    // Once more: what was decided before may have ended since.
    Decision decision = decide(request, identity, store, time);
    Known earlier = decision instanceof Decision.Resume(Known unfinished) ? unfinished : null;
    if (earlier != null && !earlier.lease().equals(lease.name())) {
      throw running(identity, Optional.empty());
    }
    // Columns are looked at before anything is stored: a mistake there is not a run.
    RowMapper unused = request.mapper(reader, new RowIds(0, 0));
    KnownLoads loads = new KnownLoads(identity, request.restart(), request.again());
    List<Long> own =
        switch (decision) {
          case Decision.Begin(List<Known> forgotten) ->
              forgotten.stream().map(known -> known.last().origin()).toList();
          default -> List.of(requireNonNull(earlier).last().origin());
        };
    Path file = rejectFile(loads, own, reader.layout());
    if (earlier == null) {
      // Before there is a run to go on with: what is there afterwards is this run's own.
      RejectFile.setAside(file);
    }
    Runs runs = new Runs(store, time);
    RunRecord run =
        switch (decision) {
          case Decision.Begin(List<Known> forgotten) ->
              runs.begin(
                  lease,
                  KIND,
                  identity.name(),
                  identity.options(),
                  (transaction, begun) -> {
                    // Under other leases others may have begun since: with this name, or file.
                    if (!(loads.decide(transaction) instanceof Decision.Begin)
                        || loads.isTaken(transaction, file, own)) {
                      throw running(identity, Optional.empty());
                    }
                    loads.add(transaction, begun, file, forgotten);
                  });
          default ->
              runs.resume(
                  lease,
                  requireNonNull(earlier).last(),
                  identity.name(),
                  identity.options(),
                  (transaction, begun) -> loads.update(transaction, begun, earlier));
        };
    if (decision instanceof Decision.Begin(List<Known> forgotten)) {
      // Only now: until there is another, the unfinished one can be gone on with.
      for (Known known : forgotten) {
        forgetLookups(lease, known.last().origin());
      }
    }
    LoadResult result;
    try {
      result = send(lease, run, earlier, loads, file, reader, stream);
    } catch (LoadException | MappingException e) {
      endAfter(e, runs, lease, run, Reason.Failure.INVALID);
      throw e;
    } catch (IOException | RuntimeException e) {
      endAfter(e, runs, lease, run, Reason.Failure.STORAGE);
      throw e;
    }
    return ended(result, runs, lease, run);
  }

  /** Beside the input, and not that of an unfinished load of the same path. */
  private Path rejectFile(KnownLoads loads, List<Long> own, Layout layout) {
    return store.read(
        transaction -> {
          Path file = RejectFile.beside(request.source(), layout);
          for (int i = 2; loads.isTaken(transaction, file, own); i++) {
            file = RejectFile.beside(request.source(), "." + i, layout);
          }
          return file;
        });
  }

  private LoadResult send(
      Lease lease,
      RunRecord run,
      @Nullable Known earlier,
      KnownLoads loads,
      Path file,
      RecordReader reader,
      CountedStream stream)
      throws LoadException, MappingException, IOException {
    AtomicReference<@Nullable RejectFile> opened = new AtomicReference<>();
    try (Journal journal = Journal.open(store, time, lease, run, () -> sync(opened.get()))) {
      long length = journal.resume().sidecarLength();
      if (earlier != null) {
        RejectFile.follow(Path.of(earlier.rejects()), file.toAbsolutePath().normalize(), length);
        store.write(transaction -> loads.put(transaction, run, file));
      }
      try (RejectFile rejects =
          RejectFile.reopened(file, reader.layout(), reader.columns(), request.names(), length)) {
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
        return result(sending.run(), sending, rejects, earlier != null);
      }
    }
  }

  /** Ends the run. What cannot be written down any more is told instead of what came before. */
  private LoadResult ended(LoadResult result, Runs runs, Lease lease, RunRecord run) {
    try {
      if (!result.outcome().resumable()) {
        forgetLookups(lease, run.origin());
      }
      end(runs, lease, run, result.outcome());
      return result;
    } catch (LeaseLostException e) {
      return result.with(new Outcome.AlreadyRunning());
    } catch (StoreException e) {
      return result.outcome() instanceof Outcome.Failed
          ? result
          : result.with(new Outcome.Failed(Reason.Failure.STORAGE, String.valueOf(e.getMessage())));
    }
  }

  private void endAfter(
      Exception cause, Runs runs, Lease lease, RunRecord run, Reason.Failure reason) {
    try {
      end(runs, lease, run, new Outcome.Failed(reason, String.valueOf(cause.getMessage())));
    } catch (StoreException | LeaseLostException e) {
      cause.addSuppressed(e); // the run counts as killed, and can be gone on with
    }
  }

  private static LoadResult result(
      BulkEnd end, Sending sending, RejectFile rejects, boolean resumed) {
    LoadProgress progress = sending.progress().orElseThrow();
    boolean anyRejected = progress.rejected() > 0;
    long deferred = progress.read() - progress.done() - progress.rejected();
    Outcome outcome = outcome(end, anyRejected, deferred, sending.complete());
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

  static Outcome outcome(BulkEnd end, boolean anyRejected, long deferred, boolean complete) {
    return switch (end) {
      case BulkEnd.Completed completed when deferred > 0 || !complete ->
          new Outcome.Failed(
              Reason.Failure.STORAGE,
              "%,d of the records that were read have no outcome".formatted(deferred));
      case BulkEnd.Completed completed ->
          anyRejected ? new Outcome.CompletedWithRejections() : new Outcome.Completed();
      case BulkEnd.Cancelled cancelled -> new Outcome.Cancelled();
      case BulkEnd.Refused(Refusal refusal) -> refused(refusal);
      case BulkEnd.Unreachable(Fault.NotDataverse foreign) ->
          new Outcome.Failed(Reason.Failure.UNEXPECTED_CONTENT, foreign.message());
      case BulkEnd.Unreachable(var fault) ->
          new Outcome.Deferred(Reason.Pressure.UPSTREAM_PRESSURE, fault.message());
      case BulkEnd.Forbidden(var fault) ->
          new Outcome.Failed(Reason.Failure.FORBIDDEN, fault.message());
      case BulkEnd.Broken(BadInputException cause) ->
          new Outcome.Failed(Reason.Failure.INVALID, String.valueOf(cause.getMessage()));
      case BulkEnd.Broken(ChangedInputException cause) ->
          new Outcome.Failed(Reason.Failure.INVALID, String.valueOf(cause.getMessage()));
      case BulkEnd.Broken(Exception cause) when isLeaseLost(cause) -> new Outcome.AlreadyRunning();
      case BulkEnd.Broken(Exception cause) ->
          new Outcome.Failed(Reason.Failure.STORAGE, String.valueOf(cause.getMessage()));
    };
  }

  private static boolean isLeaseLost(Exception cause) {
    return cause instanceof LeaseLostException || cause.getCause() instanceof LeaseLostException;
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

  private CountedStream open(InputStream standardInput, LoadIdentity identity) throws IOException {
    return new CountedStream(
        request.readsStandardInput() ? standardInput : Input.file(request.source()),
        identity.content());
  }

  private String displayName() {
    return request.readsStandardInput() ? "standard input" : request.source();
  }
}

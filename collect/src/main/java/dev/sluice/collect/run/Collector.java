package dev.sluice.collect.run;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.sink.Sink;
import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.retry.RetryBudget;
import dev.sluice.gate.Gate;
import dev.sluice.gate.GateListener;
import dev.sluice.gate.Priority;
import dev.sluice.gate.Run;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.runs.evidence.GateEvidence;
import dev.sluice.runs.lease.LeaseLostException;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a collection: takes the leases that it gets, recovers what earlier runs had missed,
 * moves every track forward, and ends with an honest outcome. Killed at any moment, the next run
 * goes on from the last slice that was committed.
 *
 * <p>{@link #progress} and {@link #cancel} may be called by any thread.
 */
public final class Collector {
  /** The kind under which the store keeps collections. */
  public static final String KIND = "collect";

  private static final int MOST_RECONNECTS = 8;

  private static final Logger log = LoggerFactory.getLogger(Collector.class);

  private final CollectionRequest request;
  private final Sink sink;
  private final Store store;
  private final ProviderGates gates;
  private final WatchedTransport transport;
  private final Time time;
  private final Run account;
  private final Progress progress = new Progress();
  private final Cancellation cancellation = new Cancellation();
  private final AtomicReference<Time.@Nullable Task> worker = new AtomicReference<>();
  private final AtomicReference<@Nullable LaneUse> used = new AtomicReference<>();

  /**
   * A run that has not begun.
   *
   * @param gates where collections on the same lane meet
   */
  public Collector(
      CollectionRequest request,
      Sink sink,
      Store store,
      ProviderGates gates,
      Transport transport,
      Time time) {
    this.request = requireNonNull(request, "request");
    this.sink = requireNonNull(sink, "sink");
    this.store = requireNonNull(store, "store");
    this.gates = requireNonNull(gates, "gates");
    this.time = requireNonNull(time, "time");
    this.transport = new WatchedTransport(requireNonNull(transport, "transport"), time);
    this.account =
        Run.within(request.name(), request.envelope().budget())
            .withRetryBudget(RetryBudget.forRequestCap(request.envelope().requestCap()))
            .withLongestHold(request.inlineWait());
  }

  /**
   * Carries it out.
   *
   * @throws StoreException if the store cannot be used at all; then nothing was collected, or the
   *     next run goes on as after a kill
   */
  public CollectionResult run() throws InterruptedException {
    AtomicReference<@Nullable CollectionResult> result = new AtomicReference<>();
    AtomicReference<@Nullable StoreException> trouble = new AtomicReference<>();
    Time.Task task =
        time.start(
            "collection " + request.name(),
            () -> {
              try {
                result.set(collect());
              } catch (StoreException e) { // a task that fails is logged; this one is told below
                trouble.set(e);
              }
            });
    worker.set(task);
    cancellation.first().takenBy(task);
    try {
      task.join();
    } catch (InterruptedException e) {
      cancellation.cancel();
      task.interrupt();
      task.join();
      throw e;
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
    StoreException told = trouble.get();
    if (told != null) {
      throw told;
    }
    return requireNonNull(result.get());
  }

  /** Where it stands. */
  public CollectionProgress progress() {
    LaneUse lane = used.get();
    return progress.snapshot(
        account.budget().used(), lane == null ? RequestCounts.NONE : lane.traffic().counts());
  }

  /** Why it is no faster, in a sentence; empty if nothing slows it down, or it was not begun. */
  public Optional<String> reason() {
    return Optional.ofNullable(used.get()).flatMap(LaneUse::reason);
  }

  /** What the provider's lane does now; empty before it is used. */
  public Optional<LaneStatistics> lane() {
    return Optional.ofNullable(used.get()).map(LaneUse::statistics);
  }

  /**
   * Sends nothing more: what waits for its turn is woken, and what was sent may be answered, within
   * {@code grace}. The slice under way is given up, and collected by the next run.
   */
  public void cancel(Duration grace) throws InterruptedException {
    cancellation.cancel();
    Time.Task task = worker.get();
    try {
      if (task != null && !task.join(time.deadline(grace))) {
        task.interrupt();
      }
    } catch (CompletionException e) {
      log.debug("the run has ended with an exception, which whoever runs it is told", e);
    }
  }

  private CollectionResult collect() {
    try (Claims claims = Claims.take(request, store, new Leases(store, time), time.instant())) {
      if (claims.taken().isEmpty()) {
        return alreadyRunning(claims);
      }
      RunRecord record;
      try {
        record =
            new Runs(store, time)
                .begin(
                    claims.taken().getFirst().lease(),
                    KIND,
                    request.name(),
                    request.connector().name(),
                    request.connector().provider().lane());
      } catch (LeaseLostException e) { // it stood still for longer than a lease
        return alreadyRunning(claims);
      }
      String name = request.connector().provider().lane();
      if (request.force()) {
        LaneUse.override(store, name, record.id());
      }
      Gate gate = gates.gate(request.connector().provider());
      LaneUse lane =
          new LaneUse(
              request.connector().provider(), record.id(), gates, gate, transport::unanswered);
      used.set(lane);
      RunContext steady = context(gate, account, lane, record);
      RunContext catchUp = // steady work has first claim on the lane
          context(gate, account.withPriority(Priority.BACKGROUND), lane, record);
      claims.taken().getFirst().lease().alongside(steady::tell);
      GateListener evidence = new GateEvidence(store, time, record.id());
      ProviderGates.Witness first = gates.witness(lane.name(), evidence);
      ProviderGates.Witness second = gates.witness(lane.name(), lane.traffic());
      try {
        Work work = work(claims, steady, catchUp);
        List<TrackResult> tracks = new ArrayList<>(work.results());
        tracks.addAll(elsewhere(claims));
        return result(work.outcome(), tracks, work.openGaps());
      } finally {
        second.close();
        first.close();
      }
    }
  }

  /**
   * Does the work. A store that broke off in the middle of something costs the slice under way: the
   * run goes on from the bookmarks, as long as its leases last.
   */
  private Work work(Claims claims, RunContext steady, RunContext catchUp) {
    Work work = new Work(request, claims, transport, steady, catchUp);
    for (int left = MOST_RECONNECTS; ; left--) {
      try {
        work.run();
        return work;
      } catch (StoreException e) {
        if (e.problem() != StoreException.Problem.UNREACHABLE || left == 0) {
          throw e;
        }
        log.warn("the run goes on from its last slice once the store is back: {}", e.getMessage());
      }
      if (new Runs(store, time).find(steady.record().id()).orElseThrow().ended().isPresent()) {
        return work; // its last transaction was committed, and nobody could say so
      }
    }
  }

  private CollectionResult alreadyRunning(Claims claims) {
    return result(new Outcome.AlreadyRunning(), elsewhere(claims), openGaps());
  }

  private CollectionResult result(Outcome outcome, List<TrackResult> tracks, long openGaps) {
    return new CollectionResult(outcome, progress(), tracks, progress.recordsByStream(), openGaps);
  }

  private RunContext context(Gate gate, Run onAccount, LaneUse lane, RunRecord record) {
    return new RunContext(
        store,
        time,
        sink,
        new GatedRequests(request.connector().provider(), transport, gate, onAccount, lane),
        cancellation,
        record,
        onAccount,
        lane,
        progress);
  }

  private static List<TrackResult> elsewhere(Claims claims) {
    return claims.elsewhere().stream()
        .map(track -> new TrackResult(track, new Outcome.AlreadyRunning(), Optional.empty(), 0, 0))
        .toList();
  }

  private long openGaps() {
    return store.read(transaction -> Work.openGaps(transaction, request.name()));
  }
}

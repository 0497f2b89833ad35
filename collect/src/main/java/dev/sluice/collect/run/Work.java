package dev.sluice.collect.run;

import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.evidence.Evidence;
import dev.sluice.runs.evidence.EvidenceLog;
import dev.sluice.runs.evidence.Fact;
import dev.sluice.runs.evidence.Facts;
import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.gap.LeasedGaps;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The work of one run under its leases: the tracks, steady before catch-up, then recovery; and its
 * end, which is one transaction.
 */
final class Work {
  /** Gaps that were due for so many runs, and had no turn, have some before the tracks. */
  private static final int RUNS_STARVED = 4;

  private static final int FEW = 8;

  /** What was planned to be left is not taken up at once. */
  private static final Duration PLANNED_REST = Duration.ofMinutes(1);

  private final CollectionRequest request;
  private final Claims claims;
  private final WatchedTransport transport;
  private final RunContext steady;
  private final RunContext catchUp;
  private final Map<TrackRun, @Nullable Stop> endings = new LinkedHashMap<>();
  private final List<TrackRun> withoutTurn = new ArrayList<>();
  private @Nullable Stop stop;
  private @Nullable Stop recovery; // what ended it, and nothing else
  private Outcome outcome = new Outcome.Failed(Reason.Failure.STORAGE, "");
  private long openGaps;

  Work(
      CollectionRequest request,
      Claims claims,
      WatchedTransport transport,
      RunContext steady,
      RunContext catchUp) {
    this.request = request;
    this.claims = claims;
    this.transport = transport;
    this.steady = steady;
    this.catchUp = catchUp;
  }

  /**
   * Does what can be done now, and ends the run. If the store broke off, it may be called again: it
   * goes on with the track that was under way.
   */
  void run() {
    if (stop == null) {
      stop = steady.lane().closed(steady.store());
    }
    if (isRecoveryStarved()) {
      recover(few());
    }
    for (Claims.Claimed each : claims.taken()) {
      if (endings.keySet().stream().anyMatch(done -> done.track().equals(each.track()))) {
        continue;
      }
      TrackRun track = new TrackRun(each.track().mode() == Mode.STEADY ? steady : catchUp, each);
      long before = steady.account().budget().used();
      Stop ended = stop == null ? explained(track.advance()) : stop;
      endings.put(track, ended);
      if (stop != null || (before > 0 && isLeftWithNothing(track, ended))) {
        withoutTurn.add(track);
      }
      if (ended != null && ended.endsRun()) {
        stop = ended;
      }
    }
    recover(Recovery.ALL);
    end();
    if (pressure().isPresent()) {
      steady.lane().rest(steady.store());
    }
  }

  /** For which pressure the run ends, or one of its streams. */
  private Optional<Reason.Pressure> pressure() {
    return Stream.concat(Stream.ofNullable(stop), endings.values().stream())
        .flatMap(
            each ->
                switch (each) {
                  case Stop.Deferred(Reason.Pressure reason, String detail) -> Stream.of(reason);
                  case Stop.StreamDeferred(Reason.Pressure reason, String detail) ->
                      Stream.of(reason);
                  case null, default -> Stream.empty();
                })
        .findFirst();
  }

  /** Whether others had spent so much of the run that nothing could be done with the rest. */
  private static boolean isLeftWithNothing(TrackRun track, @Nullable Stop ended) {
    return !track.hasMoved()
        && ended instanceof Stop.Deferred(Reason.Deferral reason, String detail)
        && reason instanceof Reason.Planned;
  }

  /** How the run ended. */
  Outcome outcome() {
    return outcome;
  }

  /** How many details were missing at its end. */
  long openGaps() {
    return openGaps;
  }

  private void recover(int most) {
    Lease lease = claims.recovery();
    if (stop == null && lease != null && most > 0) {
      HeldTrack gaps = new HeldTrack(steady, Track.recovery(request.name()), lease);
      recovery = explained(new Recovery(steady, request.connector(), gaps).drain(most));
      // What failed before may fail again, and says nothing of the tracks.
      if (recovery != null && recovery.endsRun() && !isFailing(recovery)) {
        stop = recovery;
      }
    }
  }

  private static boolean isFailing(Stop stop) {
    return stop instanceof Stop.Deferred(Reason.Deferral reason, String detail)
        && reason == Reason.Pressure.UPSTREAM_PRESSURE;
  }

  /** So few gaps that most of the run is left for the tracks, though each is tried four times. */
  private int few() {
    return (int) Math.min(FEW, request.envelope().requestCap().orElse(Long.MAX_VALUE) / FEW);
  }

  /** With what the provider's last answer showed to people, if that was a page for them. */
  private @Nullable Stop explained(@Nullable Stop ended) {
    Optional<String> page = transport.takePage(); // of no meaning for what comes next
    return ended == null ? null : page.map(ended::afterPage).orElse(ended);
  }

  /** Whether the last runs had ended before gaps had their turn. */
  private boolean isRecoveryStarved() {
    return steady
        .store()
        .read(
            transaction ->
                Runs.startOf(transaction, Collector.KIND, request.name(), RUNS_STARVED)
                    .map(since -> DetailGaps.isWaiting(transaction, request.name(), since))
                    .orElse(false));
  }

  /** Bookmarks stand; gaps, outcome and the end of the leases are one transaction. */
  private void end() {
    steady.lane().settle();
    steady
        .store()
        .write(
            transaction -> {
              openGaps = openGaps(transaction, request.name());
              outcome = ending();
              Instant due = due(transaction);
              endings.forEach((track, ended) -> noteGap(transaction, track, ended, due));
              witness(transaction, Evidence.Kind.GAP_CLOSED, steady.progress().gapsClosed());
              witness(
                  transaction, Evidence.Kind.GAP_QUARANTINED, steady.progress().gapsQuarantined());
              LeasedGaps.release(transaction, request.name(), steady.record().id());
              int unused = DetailGaps.forgetRecovered(transaction, request.name());
              steady.lane().end(transaction);
              claims.release(transaction);
              Runs.count(transaction, steady.record(), Map.of("missing", openGaps));
              Runs.end(transaction, steady.record(), outcome, steady.counts());
              return null;
            });
  }

  private Outcome ending() {
    if (stop != null) {
      return stop.outcome();
    }
    if (endings.values().stream().allMatch(each -> each instanceof Stop.TakenOver)) {
      return new Outcome.AlreadyRunning();
    }
    for (Stop each : endings.values()) {
      if (each instanceof Stop.Failed failed) {
        return failed.outcome();
      }
    }
    if (recovery instanceof Stop.Failed failed) {
      return failed.outcome();
    }
    for (Stop each : endings.values()) {
      if (each instanceof Stop.PutOff || each instanceof Stop.StreamDeferred) {
        return each.outcome();
      }
    }
    return openGaps > 0 ? new Outcome.CompletedWithGaps() : new Outcome.Completed();
  }

  /** How many details of a collection are known to be missing, and not known to be gone. */
  static long openGaps(Transaction transaction, String collection) {
    return DetailGaps.open(transaction, collection);
  }

  /**
   * When what is left may be taken up: after a rest that the run planned, or the provider needs.
   */
  private Instant due(Transaction transaction) {
    Instant planned = transaction.now().plus(PLANNED_REST);
    return pressure()
        .map(reason -> steady.lane().deferred(transaction, reason))
        .filter(until -> stop != null || until.isAfter(planned))
        .orElse(planned);
  }

  private void noteGap(Transaction transaction, TrackRun track, @Nullable Stop ended, Instant due) {
    Reason reason =
        switch (ended) {
          case Stop.Deferred deferred -> deferred.reason();
          case Stop.PutOff later -> Reason.Pressure.RATE_LIMITED;
          case Stop.StreamDeferred deferred -> deferred.reason();
          case Stop.Failed failed -> failed.reason();
          case Stop.Cancelled cancelled -> Reason.Planned.CANCELLED;
          case Stop.TakenOver over -> null; // the other's
          case null -> null;
        };
    // Whoever has the track now writes its gaps; one that had no turn stands where it stood.
    if (track.isLeftOver(transaction) && reason != null && ended != null) {
      if (track.wasted().isPresent()) {
        EvidenceLog.append(
            transaction,
            steady.record().id(),
            Evidence.Kind.SLICE_GIVEN_UP,
            facts(track, reason).with(Fact.REQUESTS, track.wasted().getAsLong()));
      }
      StreamGaps.note(
          transaction,
          track.track(),
          track.cursor(),
          reason,
          ended.outcome().detail(),
          ended instanceof Stop.PutOff later ? later.until() : due,
          steady.record().id());
      if (withoutTurn.contains(track)) {
        StreamGaps.hadNoTurn(transaction, track.track());
      }
      EvidenceLog.append(
          transaction, steady.record().id(), Evidence.Kind.GAP_NOTED, facts(track, reason));
    }
  }

  private static Facts facts(TrackRun track, Reason reason) {
    return Facts.NONE
        .with(reason)
        .withStream(track.track().stream())
        .with(Fact.MODE, track.track().mode());
  }

  /** What became of details that were missing, in all of the run. */
  private void witness(Transaction transaction, Evidence.Kind kind, long gaps) {
    if (gaps > 0) {
      EvidenceLog.append(
          transaction, steady.record().id(), kind, Facts.NONE.with(Fact.COUNT, gaps));
    }
  }

  /** How each track ended. */
  List<TrackResult> results() {
    List<TrackResult> results = new ArrayList<>();
    endings.forEach(
        (track, ended) ->
            results.add(track.result(ended == null ? new Outcome.Completed() : ended.outcome())));
    return results;
  }
}

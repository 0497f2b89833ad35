package dev.sluice.runs.reset;

import static java.util.Objects.requireNonNull;

import dev.sluice.gate.time.Time;
import dev.sluice.runs.bookmark.Bookmark;
import dev.sluice.runs.bookmark.Bookmarks;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.evidence.Evidence;
import dev.sluice.runs.evidence.EvidenceLog;
import dev.sluice.runs.evidence.Fact;
import dev.sluice.runs.evidence.Facts;
import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.gap.HadDetails;
import dev.sluice.runs.gap.StreamGap;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.lease.Claim;
import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.Transaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Lets streams of a collection begin anew: forgotten are their bookmarks in both modes, with what
 * the sink needs to go on from them; the horizon between the modes; where they stopped, and of
 * which records they had the details. What is known to be missing of single records stays, and so
 * does everything that was collected.
 */
public final class Reset {
  /** The kind under which the store keeps resets among its runs. */
  public static final String KIND = "reset";

  private static final Comparator<Track> IN_ORDER =
      Comparator.comparing(Track::stream).thenComparing(Track::split).thenComparing(Track::mode);

  private final Store store;
  private final Time time;
  private final Leases leases;
  private final Scope scope;

  /** A reset that has not been carried out. */
  public Reset(Store store, Time time, Leases leases, Scope scope) {
    this.store = requireNonNull(store, "store");
    this.time = requireNonNull(time, "time");
    this.leases = requireNonNull(leases, "leases");
    this.scope = requireNonNull(scope, "scope");
  }

  /**
   * The tracks that it is about, as they stand, in the order of their streams: each that ever moved
   * or stopped, and each that has a horizon. With an empty bookmark where they never moved.
   */
  public Map<Track, Optional<Bookmark>> tracks() {
    return store.read(
        transaction -> {
          Map<Track, Optional<Bookmark>> tracks = new TreeMap<>(IN_ORDER);
          found(transaction)
              .forEach(track -> tracks.put(track, Bookmarks.find(transaction, track)));
          return tracks;
        });
  }

  private Set<Track> found(Transaction transaction) {
    Set<Track> found = new LinkedHashSet<>(Bookmarks.atHorizons(transaction, scope.collection()));
    Bookmarks.of(transaction, scope.collection()).stream().map(Bookmark::track).forEach(found::add);
    StreamGaps.of(transaction, scope.collection()).stream()
        .map(StreamGap::track)
        .forEach(found::add);
    found.removeIf(track -> !scope.has(track));
    return found;
  }

  /**
   * Does it, all or nothing, and never waits. The store lists it as a run that completed.
   *
   * @return who is at one of the tracks: then nothing was changed. Empty if it is done
   * @throws IllegalStateException if there is nothing to reset
   * @throws dev.sluice.runs.lease.LeaseLostException if this process stood still for so long that
   *     somebody took a track over; then nothing was changed either
   */
  public Optional<Claim.Held> carryOut() {
    Set<Track> tracks = tracks().keySet();
    if (tracks.isEmpty()) {
      throw new IllegalStateException("nothing is known of " + scope);
    }
    List<Lease> taken = new ArrayList<>();
    try {
      for (Track track : tracks) {
        switch (leases.take(track.leaseName())) {
          case Claim.Held held -> {
            return Optional.of(held);
          }
          case Claim.Taken claim -> taken.add(claim.lease());
        }
      }
      Track recovery = Track.recovery(scope.collection());
      if (!tracks.contains(recovery)) { // what it is at may be forgotten
        switch (leases.take(recovery.leaseName())) {
          case Claim.Held held -> {
            return Optional.of(held);
          }
          case Claim.Taken claim -> taken.add(claim.lease());
        }
      }
      beginAnew(tracks, taken);
      return Optional.empty();
    } finally {
      taken.forEach(Lease::close);
    }
  }

  private void beginAnew(Set<Track> tracks, List<Lease> held) {
    RunRecord run = new Runs(store, time).begin(held.getFirst(), KIND, scope.collection(), "");
    store.write(
        transaction -> {
          held.forEach(lease -> lease.release(transaction));
          tracks.forEach(track -> beginAnew(transaction, track, run.id()));
          Runs.end(
              transaction, run, new Outcome.Completed(), Map.of("tracks", (long) tracks.size()));
          return null;
        });
  }

  private static void beginAnew(Transaction transaction, Track track, long run) {
    Bookmarks.reset(transaction, track);
    Bookmarks.forgetHorizon(transaction, track.collection(), track.stream(), track.split());
    boolean unused = StreamGaps.close(transaction, track);
    HadDetails.forget(transaction, track);
    DetailGaps.forget(transaction, track);
    EvidenceLog.append(
        transaction,
        run,
        Evidence.Kind.BOOKMARK_RESET,
        Facts.NONE.withStream(track.stream()).with(Fact.MODE, track.mode()));
  }
}

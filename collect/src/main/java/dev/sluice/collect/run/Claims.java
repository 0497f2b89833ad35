package dev.sluice.collect.run;

import static java.util.Comparator.comparingInt;
import static java.util.Objects.requireNonNull;

import dev.sluice.collect.connector.ListStream;
import dev.sluice.runs.bookmark.Bookmark;
import dev.sluice.runs.bookmark.Bookmarks;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.lease.Claim;
import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.lease.LeaseLostException;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tracks of a collection that a run got the leases of, and those that another process is at.
 * Steady ones go first. Among these, those begin that had no turn when the last run ended, and
 * those come last on which it spent what it had: so one that fails for ever, or never ends, keeps
 * no other from its turn.
 */
final class Claims implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Claims.class);

  private final List<Claimed> taken = new ArrayList<>();
  private final List<Track> elsewhere = new ArrayList<>();
  private @Nullable Lease recovery;

  /**
   * A track that this run may move.
   *
   * @param horizon where catch-up ends and steady work begins
   */
  record Claimed(Track track, ListStream stream, Lease lease, Optional<String> horizon) {}

  private Claims() {}

  /** Takes what can be had; never waits. */
  static Claims take(CollectionRequest request, Store store, Leases leases, Instant now) {
    Claims claims = new Claims();
    try {
      claims.takeAll(request, store, leases, now);
      return claims;
    } catch (RuntimeException e) { // whatever it was, nobody would give these back
      claims.close();
      throw e;
    }
  }

  private void takeAll(CollectionRequest request, Store store, Leases leases, Instant now) {
    Map<Track, Boolean> left =
        store.read(transaction -> StreamGaps.turns(transaction, request.name()));
    for (Mode mode : List.of(Mode.STEADY, Mode.CATCH_UP)) {
      Map<Track, ListStream> tracks = tracks(request, mode);
      for (Track track :
          tracks.keySet().stream().sorted(comparingInt(each -> turn(left.get(each)))).toList()) {
        ListStream stream = requireNonNull(tracks.get(track));
        Optional<String> proposed = stream.horizon(now);
        if (mode == Mode.STEADY || (proposed.isPresent() && !isFinished(store, track))) {
          take(leases, track, stream, horizon(store, track, proposed));
        }
      }
    }
    if (!taken.isEmpty()
        && leases.take(Track.recovery(request.name()).leaseName()) instanceof Claim.Taken claim) {
      recovery = claim.lease();
    }
  }

  /** In the order in which they are declared. */
  private static Map<Track, ListStream> tracks(CollectionRequest request, Mode mode) {
    Map<Track, ListStream> tracks = new LinkedHashMap<>();
    for (ListStream stream : request.connector().streams()) {
      String name = stream.shape().name();
      if (request.streams().isEmpty() || request.streams().contains(name)) {
        for (String split : stream.splits()) {
          tracks.put(new Track(request.name(), name, split, mode), stream);
        }
      }
    }
    return tracks;
  }

  /**
   * Whose turn it is.
   *
   * @param waited whether the last run left it without a turn; null if it was not left at all
   */
  private static int turn(@Nullable Boolean waited) {
    return waited == null ? 1 : waited ? 0 : 2;
  }

  private static boolean isFinished(Store store, Track track) {
    return store
        .read(transaction -> Bookmarks.find(transaction, track))
        .map(Bookmark::finished)
        .orElse(false);
  }

  private static Optional<String> horizon(Store store, Track track, Optional<String> proposed) {
    return proposed.map(
        place ->
            store.write(
                transaction ->
                    Bookmarks.horizon(
                        transaction, track.collection(), track.stream(), track.split(), place)));
  }

  private void take(Leases leases, Track track, ListStream stream, Optional<String> horizon) {
    switch (leases.take(track.leaseName())) {
      case Claim.Held held -> elsewhere.add(track);
      case Claim.Taken claim -> taken.add(new Claimed(track, stream, claim.lease(), horizon));
    }
  }

  /** What this run may move. */
  List<Claimed> taken() {
    return taken;
  }

  /** What others are at. */
  List<Track> elsewhere() {
    return elsewhere;
  }

  /** The lease of recovery; null if another process is at it. */
  @Nullable Lease recovery() {
    return recovery;
  }

  /** Gives all leases back in the transaction that ends the run. */
  void release(Transaction transaction) {
    for (Lease lease : leases()) {
      try {
        lease.release(transaction);
      } catch (LeaseLostException e) {
        log.info("{} is somebody else's by now", lease);
      }
    }
  }

  private List<Lease> leases() {
    List<Lease> all = new ArrayList<>();
    taken.forEach(claimed -> all.add(claimed.lease()));
    if (recovery != null) {
      all.add(recovery);
    }
    return all;
  }

  @Override
  public void close() {
    leases().forEach(Lease::close);
  }
}

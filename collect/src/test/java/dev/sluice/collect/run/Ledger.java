package dev.sluice.collect.run;

import dev.sluice.runs.bookmark.Bookmark;
import dev.sluice.runs.bookmark.Bookmarks;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.gap.StreamGap;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.Transaction;
import dev.sluice.runs.store.Work;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Looks over the shoulder of whoever writes to the state of the collection {@code mine}, at the end
 * of every transaction, and notes each that breaks a rule.
 */
final class Ledger {
  private final Archive archive;
  private final ArchiveConnector connector;
  private final Depot depot;
  private final List<String> offences = new ArrayList<>();
  private final Map<String, Integer> holders = new HashMap<>();
  private State last = State.NOTHING;

  /** What transactions change. Immutable. */
  private record State(
      Map<String, Long> fences,
      Map<Track, Bookmark> bookmarks,
      Map<Track, StreamGap> gaps,
      Map<String, String> horizons,
      Instant heldUntil) {
    static final State NOTHING = new State(Map.of(), Map.of(), Map.of(), Map.of(), Instant.EPOCH);

    static State of(Transaction transaction) {
      Map<String, Long> fences = new HashMap<>();
      Map<String, String> horizons = new HashMap<>();
      Map<Track, Bookmark> bookmarks = new LinkedHashMap<>();
      Map<Track, StreamGap> gaps = new LinkedHashMap<>();
      for (Map.Entry<String, Long> each :
          transaction.rows(
              "select name, fence from lease", row -> Map.entry(row.text(1), row.number(2)))) {
        fences.put(each.getKey(), each.getValue());
      }
      for (Map.Entry<String, String> each :
          transaction.rows(
              "select stream, place from horizon", row -> Map.entry(row.text(1), row.text(2)))) {
        horizons.put(each.getKey(), each.getValue());
      }
      Bookmarks.of(transaction, "mine").forEach(each -> bookmarks.put(each.track(), each));
      StreamGaps.of(transaction, "mine").forEach(each -> gaps.put(each.track(), each));
      return new State(
          fences,
          bookmarks,
          gaps,
          horizons,
          Lanes.of(transaction, ArchiveConnector.LANE).holdUntil());
    }

    int horizon(Track track) {
      return Integer.parseInt(horizons.getOrDefault(track.stream(), "0"));
    }

    /** Where a list stands: as far as its bookmark says, or at its beginning. */
    int place(Track track) {
      int beginning = track.mode() == Mode.STEADY ? horizon(track) : 0;
      return Optional.ofNullable(bookmarks.get(track))
          .flatMap(Bookmark::cursor)
          .map(Integer::parseInt)
          .orElse(beginning);
    }
  }

  Ledger(Archive archive, ArchiveConnector connector, Depot depot) {
    this.archive = archive;
    this.connector = connector;
    this.depot = depot;
  }

  /** What was done against the rules. */
  List<String> offences() {
    return offences;
  }

  /** Which process took a track's lease last; 0 if none did. */
  int holder(Track track) {
    return holders.getOrDefault(track.leaseName(), 0);
  }

  /** The disk as a process sees it that is watched. */
  Store watched(Store disk, int process) {
    return new Store() {
      @Override
      public <T extends @Nullable Object> T write(Work<T> work) {
        List<State> after = new ArrayList<>();
        List<String> found = new ArrayList<>();
        T result =
            disk.write(
                transaction -> {
                  T done = work.in(transaction);
                  State now = State.of(transaction);
                  found.addAll(check(process, now, transaction));
                  after.add(now);
                  return done;
                });
        // Only now: what is rolled back has not happened.
        State now = after.getLast();
        now.fences.forEach(
            (name, fence) -> {
              if (fence > last.fences.getOrDefault(name, 0L)) {
                holders.put(name, process);
              }
            });
        if (now.heldUntil.isAfter(last.heldUntil)) {
          archive.stored(process);
        }
        offences.addAll(found);
        last = now;
        return result;
      }

      @Override
      public <T extends @Nullable Object> T read(Work<T> work) {
        return disk.read(work);
      }

      @Override
      public void close() {}
    };
  }

  private List<String> check(int process, State now, Transaction transaction) {
    List<String> found = new ArrayList<>();
    for (Track track : changed(last.bookmarks, now.bookmarks)) {
      found.addAll(noOldHolderMovesABookmark(process, track));
      if (!track.equals(Track.recovery("mine"))) {
        found.addAll(noBookmarkGoesBack(track, now));
        found.addAll(catchUpAndSteadyWorkStayApart(track, now));
        found.addAll(noBookmarkPassesWhatIsNotDurable(track, now, transaction));
      }
    }
    for (Track track : changed(last.gaps, now.gaps)) {
      found.addAll(noOldHolderMovesABookmark(process, track));
    }
    return found;
  }

  private static <T> Set<Track> changed(Map<Track, T> before, Map<Track, T> after) {
    Set<Track> all = new TreeSet<>(Comparator.comparing(Track::leaseName));
    all.addAll(before.keySet());
    all.addAll(after.keySet());
    all.removeIf(track -> Objects.equals(before.get(track), after.get(track)));
    return all;
  }

  private List<String> noOldHolderMovesABookmark(int process, Track track) {
    int holder = holder(track);
    return holder == process
        ? List.of()
        : List.of(
            "process %d wrote of %s, which process %d holds".formatted(process, track, holder));
  }

  private List<String> noBookmarkGoesBack(Track track, State now) {
    return now.place(track) >= last.place(track)
        ? List.of()
        : List.of(
            "%s went back from %d to %d".formatted(track, last.place(track), now.place(track)));
  }

  private static List<String> catchUpAndSteadyWorkStayApart(Track track, State now) {
    int horizon = now.horizon(track);
    boolean onItsSide =
        track.mode() == Mode.STEADY ? now.place(track) >= horizon : now.place(track) <= horizon;
    return onItsSide
        ? List.of()
        : List.of(
            "%s came to %d across the horizon %d".formatted(track, now.place(track), horizon));
  }

  private List<String> noBookmarkPassesWhatIsNotDurable(
      Track track, State now, Transaction transaction) {
    int beginning = track.mode() == Mode.STEADY ? now.horizon(track) : 0;
    List<String> passed =
        Archive.records(track.stream() + "-" + track.split(), beginning, now.place(track));
    List<String> missing = new ArrayList<>(passed);
    missing.removeAll(depot.durable(transaction, track.stream()));
    if (connector.isNoted(track.stream())) {
      List<String> notes = depot.durable(transaction, ArchiveConnector.NOTES);
      List<String> gaps =
          transaction.rows(
              "select record_key from detail_gap where state <> 'recovered'", row -> row.text(1));
      passed.stream()
          .filter(record -> !gaps.contains(record))
          .flatMap(record -> Archive.notes(record).stream())
          .filter(note -> !notes.contains(note))
          .forEach(missing::add);
    }
    return missing.isEmpty()
        ? List.of()
        : List.of("%s passed %s, which are not there".formatted(track, missing));
  }
}

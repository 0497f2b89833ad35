package dev.sluice.collect.run;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.DetailStream;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.gap.DetailGap;
import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.gap.HadDetails;
import dev.sluice.runs.gap.Miss;
import dev.sluice.runs.gap.MissingDetail;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Transaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The details of one slice's records: remembered while the list is read, fetched once it is there.
 * What cannot be had now becomes a gap, in the transaction that moves the bookmark past it. What
 * was had before, and for the same edition of its record, is not fetched again.
 */
final class Details {
  private final RunContext context;
  private final Track track;
  private final ListStream list;
  private final List<Wanted> wanted = new ArrayList<>();
  private final List<Wanted> there = new ArrayList<>();
  private final List<DetailEnding> endings = new ArrayList<>();
  private @Nullable Stop stop;

  Details(RunContext context, Track track, ListStream list) {
    this.context = context;
    this.track = track;
    this.list = list;
  }

  /**
   * Details to fetch: which, of which record, and what it takes to do so.
   *
   * @param edition the record's; empty if they are always fetched
   */
  private record Wanted(
      DetailStream stream, String parentKey, ObjectNode parent, Optional<String> edition) {
    String name() {
      return stream.shape().name();
    }
  }

  /** A record of the list has come. */
  void remember(CollectedRecord parent) {
    for (DetailStream stream : list.details()) {
      if (stream.wants(parent)) {
        wanted.add(
            new Wanted(
                stream,
                parent.key(),
                stream.remembered(parent),
                // Catch-up never looks back.
                track.mode() == Mode.STEADY ? stream.edition(parent) : Optional.empty()));
      }
    }
  }

  /** Fetches what the slice's records want, as far as the run may go. */
  void fetch(TrackWriter writer) throws IOException, InterruptedException {
    leaveOutWhatIsThere();
    Set<Wanted> knownToFail = leaveOutWhatIsPutOff();
    DetailReader reader = new DetailReader(context, writer);
    SideBySide<Wanted> all =
        new SideBySide<>(
            context,
            wanted,
            (each, asker) ->
                reader.fetch(
                    each.stream, track.split(), each.parent, asker, knownToFail.contains(each)));
    List<Fetched> fetched = all.fetch();
    stop = all.stop();
    for (int i = 0; i < wanted.size(); i++) {
      endings.add(ending(wanted.get(i), fetched.get(i)));
    }
  }

  private void leaveOutWhatIsThere() {
    if (wanted.stream().noneMatch(each -> each.edition.isPresent())) {
      return;
    }
    there.addAll(
        takenOut(
            (transaction, each) ->
                each.edition.isPresent()
                    && each.edition.equals(
                        HadDetails.edition(transaction, track, each.name(), each.parentKey))));
  }

  /** Takes those out of what is wanted of which the store knows something. */
  private List<Wanted> takenOut(BiPredicate<Transaction, Wanted> known) {
    Map<Boolean, List<Wanted>> parts =
        context
            .store()
            .read(
                transaction ->
                    wanted.stream()
                        .collect(Collectors.partitioningBy(each -> known.test(transaction, each))));
    wanted.clear();
    wanted.addAll(requireNonNull(parts.get(false)));
    return requireNonNull(parts.get(true));
  }

  /**
   * Leaves out what the provider has throttled alone: that outlives the run which was told so.
   *
   * @return those of the others that failed alone in an earlier run
   */
  private Set<Wanted> leaveOutWhatIsPutOff() {
    Set<Wanted> knownToFail = Collections.newSetFromMap(new IdentityHashMap<>());
    if (wanted.isEmpty()) {
      return knownToFail;
    }
    List<Wanted> putOff =
        takenOut(
            (transaction, each) -> {
              Optional<DetailGap> gap = DetailGaps.find(transaction, missing(each));
              if (gap.isPresent() && gap.get().hasFailed()) {
                knownToFail.add(each);
              }
              return gap.isPresent() && gap.get().isPutOff(transaction.now());
            });
    for (Wanted each : putOff) {
      endings.add(
          ending(
              each,
              new Fetched.Missed(
                  new Miss.NotSent(Reason.Pressure.RATE_LIMITED), Optional.empty())));
    }
    return knownToFail;
  }

  private MissingDetail missing(Wanted each) {
    return new MissingDetail(
        track.collection(),
        each.name(),
        track.stream(),
        each.parentKey,
        track.split(),
        each.parent.toString());
  }

  private static DetailEnding ending(Wanted each, Fetched fetched) {
    return new DetailEnding(
        each.name(),
        each.parentKey,
        each.parent.toString(),
        each.edition,
        switch (fetched) {
          case Fetched.Had had -> Optional.empty();
          case Fetched.Missed missed -> Optional.of(missed.miss());
        });
  }

  /** What has to be known of them where the slice is durable before its bookmark moves. */
  String facts() {
    return DetailEnding.text(endings);
  }

  /** Writes down what is missing, and what no longer is. */
  void commit(Transaction transaction, boolean more) {
    long run = context.record().id();
    endings.forEach(each -> each.commit(transaction, track, context));
    for (Wanted each : there) {
      HadDetails.note(
          transaction, track, each.name(), each.parentKey, each.edition.orElseThrow(), run);
    }
    if (!more) {
      HadDetails.forgetBefore(transaction, track, run);
    }
  }

  /** How many are missing. */
  long missing() {
    return endings.stream()
        .filter(each -> each.miss().isPresent() && !(each.miss().get() instanceof Miss.Gone))
        .count();
  }

  /** Why nothing more was fetched; null if everything was tried. */
  @Nullable Stop stop() {
    return stop;
  }
}

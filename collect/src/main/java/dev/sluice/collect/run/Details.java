package dev.sluice.collect.run;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.DetailStream;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.gap.Miss;
import dev.sluice.runs.gap.MissingDetail;
import dev.sluice.runs.store.Transaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The details of one slice's records: remembered while the list is read, fetched once it is there.
 * What cannot be had now becomes a gap, in the transaction that moves the bookmark past it.
 */
final class Details {
  private final RunContext context;
  private final Track track;
  private final ListStream list;
  private final List<Wanted> wanted = new ArrayList<>();
  private final List<Ending> endings = new ArrayList<>();
  private @Nullable Stop stop;
  private long records;
  private long missing;

  Details(RunContext context, Track track, ListStream list) {
    this.context = context;
    this.track = track;
    this.list = list;
  }

  /** Details to fetch: which, of which record, and what it takes to do so. */
  private record Wanted(DetailStream stream, String parentKey, ObjectNode parent) {}

  private record Ending(Wanted wanted, Fetched fetched) {}

  /** A record of the list has come. */
  void remember(CollectedRecord parent) {
    for (DetailStream stream : list.details()) {
      if (stream.wants(parent)) {
        wanted.add(new Wanted(stream, parent.key(), stream.remembered(parent)));
      }
    }
  }

  /** Fetches what the slice's records want, as far as the run may go. */
  void fetch(SliceWriter writer) throws IOException, InterruptedException {
    for (Wanted each : wanted) {
      Fetched fetched =
          stop == null
              ? fetch(each, writer)
              : new Fetched.Missed(Fetched.miss(stop, false, Optional.empty()), Optional.of(stop));
      endings.add(new Ending(each, fetched));
      if (fetched instanceof Fetched.Missed missed) {
        missing += missed.miss() instanceof Miss.Gone ? 0 : 1;
        stop = missed.stop().orElse(stop);
      }
    }
  }

  private Fetched fetch(Wanted each, SliceWriter writer) throws IOException, InterruptedException {
    // All of one record or nothing: half of it would look like all of it.
    List<CollectedRecord> found = new ArrayList<>();
    Fetched fetched =
        Fetched.from(
            context,
            each.stream,
            () -> {
              found.clear();
              each.stream.read(track.split(), each.parent, context.requests(), found::add);
            });
    if (fetched instanceof Fetched.Had) {
      for (CollectedRecord record : found) {
        writer.write(each.stream.shape().name(), record);
      }
      records += found.size();
    }
    return fetched;
  }

  /** Writes down what is missing, and what no longer is. */
  void commit(Transaction transaction) {
    long run = context.record().id();
    for (Ending each : endings) {
      MissingDetail detail =
          new MissingDetail(
              track.collection(),
              each.wanted.stream.shape().name(),
              track.stream(),
              each.wanted.parentKey,
              track.split(),
              each.wanted.parent.toString());
      switch (each.fetched) {
        case Fetched.Had had ->
            DetailGaps.filled(
                transaction,
                detail.collection(),
                detail.stream(),
                detail.parentStream(),
                detail.recordKey());
        case Fetched.Missed missed -> DetailGaps.note(transaction, detail, run, missed.miss());
      }
    }
  }

  /** How many are missing. */
  long missing() {
    return missing;
  }

  /** Why nothing more was fetched; null if everything was tried. */
  @Nullable Stop stop() {
    return stop;
  }

  /** How many records were written. */
  long records() {
    return records;
  }
}

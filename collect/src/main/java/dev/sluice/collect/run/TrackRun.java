package dev.sluice.collect.run;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Requests;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceRead;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.runs.bookmark.Bookmark;
import dev.sluice.runs.bookmark.Bookmarks;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Transaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Moves one track forward: a slice is fetched, its records are made durable, and then, in one
 * transaction under the track's lease, its bookmark moves and what is missing of it is written
 * down. A slice that cannot be read to its end is given up whole.
 */
final class TrackRun {
  private final RunContext context;
  private final ListStream stream;
  private final Track track;
  private final HeldTrack held;
  private final Optional<String> horizon;
  private final Requests requests;
  private Optional<String> cursor = Optional.empty();
  private int shrink;
  private int smaller; // what this run found to be too much, until less is found
  private boolean atEnd;
  private long slices;
  private OptionalLong wasted = OptionalLong.empty();

  TrackRun(RunContext context, Claims.Claimed claimed) {
    this.context = context;
    this.stream = claimed.stream();
    this.track = claimed.track();
    this.held = new HeldTrack(context, track, claimed.lease());
    this.horizon = claimed.horizon();
    Asker asker = context.asker();
    asker.on(stream.shape().name());
    this.requests = new ListRequests(context, asker);
  }

  Track track() {
    return track;
  }

  /** Where its bookmark stands. */
  Optional<String> cursor() {
    return cursor;
  }

  /**
   * Whether something is left for a later run that is still this run's to write of; looks where its
   * bookmark stands, too.
   */
  boolean isLeftOver(Transaction transaction) {
    Optional<Bookmark> bookmark = Bookmarks.find(transaction, track);
    cursor = bookmark.flatMap(Bookmark::cursor);
    return held.isHeld(transaction) && !bookmark.map(Bookmark::finished).orElse(false);
  }

  /** Whether its bookmark has moved in this run. */
  boolean hasMoved() {
    return slices > 0;
  }

  /** How many requests a slice took that was given up; empty if none was. */
  OptionalLong wasted() {
    return wasted;
  }

  /** How far it has come, if it ended so. */
  TrackResult result(Outcome outcome) {
    return new TrackResult(track, outcome, cursor, slices, context.progress().records(track));
  }

  /**
   * Goes on until the present is reached, or the end of the range.
   *
   * @return why it stopped before; null if it did not
   */
  @Nullable Stop advance() {
    context.progress().begin(track.toString());
    try {
      Optional<Bookmark> last = held.bookmark();
      if (last.map(Bookmark::finished).orElse(false)) {
        return null;
      }
      shrink = last.map(Bookmark::shrink).orElse(0);
      cursor = last.flatMap(Bookmark::cursor);
      if (wentInCircles()) {
        cursor = stream.beginningOf(cursor);
      }
      context.lane().holds().requireNotPutOff(track);
      Stop stop = advance(last);
      finishIfAtEnd();
      return stop;
    } catch (IOException | RuntimeException e) {
      return Stop.of(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Stop.of(e);
    }
  }

  /** Whether the last run found itself in a circle: perhaps its way there has been mended since. */
  private boolean wentInCircles() {
    return context
        .store()
        .read(transaction -> StreamGaps.find(transaction, track))
        .map(gap -> gap.reason() == Reason.Failure.CURSOR_LOOP)
        .orElse(false);
  }

  private @Nullable Stop advance(Optional<Bookmark> last) throws IOException, InterruptedException {
    try (TrackWriter writer = held.open(shapes(), last)) {
      // Durable in the sink before the last process died: only the bookmark is missing.
      Optional<SliceEnd> unacknowledged = writer.unacknowledged();
      if (unacknowledged.isPresent() && adopt(writer, unacknowledged.get())) {
        return null;
      }
      while (true) {
        Slice slice = new Slice(writer);
        Stop stop = slice.read();
        if (stop != null) {
          return stop;
        }
        boolean more = commit(writer, slice);
        if (slice.details.stop() != null || !more) {
          return slice.details.stop();
        }
      }
    }
  }

  private List<StreamShape> shapes() {
    List<StreamShape> shapes = new ArrayList<>();
    shapes.add(stream.shape());
    stream.details().forEach(detail -> shapes.add(detail.shape()));
    return shapes;
  }

  /** One slice as it is read. */
  private final class Slice implements SliceRead.Draft {
    private final TrackWriter writer;
    private Details details = new Details(context, track, stream);
    private @Nullable SliceEnd end;

    Slice(TrackWriter writer) {
      this.writer = writer;
    }

    /**
     * Reads it, and the details of its records.
     *
     * @return why it was given up; null if it was not
     */
    @Nullable Stop read() throws IOException {
      long requestsBefore = context.account().budget().used();
      try {
        SliceRead read = SliceRead.of(stream, start(), requests, this);
        end = read.end();
        smaller = read.shrink() - shrink;
        details.fetch(writer);
      } catch (ProviderException | IOException | InterruptedException | RuntimeException e) {
        writer.giveUp();
        wasted = OptionalLong.of(context.account().budget().used() - requestsBefore);
        if (e instanceof PutOffException later && later.isTold()) { // for the next run as well
          context.lane().holds().putOff(track, later.until());
        }
        return givenUp(Stop.of(e), requestsBefore);
      }
      if (end.more() && end.cursor().equals(cursor)) {
        writer.giveUp();
        wasted = OptionalLong.of(context.account().budget().used() - requestsBefore);
        return new Stop.Failed(
            Reason.Failure.CURSOR_LOOP, "a slice of %s ended where it began".formatted(track));
      }
      return null;
    }

    @Override
    public void accept(CollectedRecord record) throws IOException, InterruptedException {
      writer.write(stream.shape().name(), record);
      details.remember(record);
    }

    @Override
    public void forget() throws IOException {
      writer.giveUp();
      details = new Details(context, track, stream);
    }

    SliceEnd end() {
      return requireNonNull(end);
    }
  }

  private SliceStart start() {
    return new SliceStart(
        track.split(), track.mode(), cursor, horizon, context.time().instant(), shrink + smaller);
  }

  private boolean commit(TrackWriter writer, Slice slice) throws IOException, InterruptedException {
    Details details = slice.details;
    SliceEnd end = slice.end();
    commit(writer, end, details.facts(), transaction -> details.commit(transaction, end.more()));
    context.progress().committed(details.missing());
    return end.more();
  }

  /**
   * Commits a slice as it stands, with what is missing of it, which was kept with it.
   *
   * @return whether nothing is left: only a range that has an end is covered for good, and what was
   *     the present then lies in the past
   */
  private boolean adopt(TrackWriter writer, SliceEnd end) throws IOException, InterruptedException {
    List<DetailEnding> endings = DetailEnding.read(writer.noted());
    commit(
        writer,
        end,
        "", // kept there already
        transaction -> endings.forEach(each -> each.commit(transaction, track, context)));
    return track.mode() == Mode.CATCH_UP && !end.more();
  }

  private void commit(TrackWriter writer, SliceEnd end, String facts, Consumer<Transaction> details)
      throws IOException, InterruptedException {
    String mark = writer.prepare(end, facts);
    held.write(
        transaction -> {
          writer.commit(transaction);
          Bookmarks.move(transaction, track, end.cursor().orElse(null), mark);
          if (!end.more()) {
            Bookmarks.grow(transaction, track);
          }
          if (slices == 0) { // the last run's gap; this one notes none before it ends
            StreamGaps.passed(transaction, track, context.record().id());
          }
          context.saveNowAndThen(transaction);
          details.accept(transaction);
          return null;
        });
    writer.acknowledge();
    cursor = end.cursor();
    smaller = Math.max(0, smaller - 1);
    atEnd = !end.more();
    slices++;
  }

  /**
   * A catch-up that has covered its range is never opened again: not before its writer is closed,
   * and its readers see all of it.
   */
  private void finishIfAtEnd() {
    if (atEnd && track.mode() == Mode.CATCH_UP) {
      held.write(
          transaction -> {
            Bookmarks.finish(transaction, track);
            return null;
          });
    }
  }

  /** Whether a slice that was not done is too large for any run like this; then what to do. */
  private Stop givenUp(Stop stop, long requestsBefore) {
    if (!(stop instanceof Stop.Deferred(Reason.Planned reason, String detail))
        || !isAllOfARun(reason, requestsBefore)) {
      return stop;
    }
    if (!stream.canShrink(start())) {
      return requestsBefore > 0
          ? stop // alone it might have been done
          : new Stop.Failed(
              Reason.Failure.SLICE_TOO_LARGE,
              "one slice of %s needs more than a whole run may spend; allow runs more requests or"
                      .formatted(track)
                  + " more time");
    }
    held.write(
        transaction -> {
          Bookmarks.shrink(transaction, track);
          return null;
        });
    return stop;
  }

  /** Whether a slice took most of what a run has, and no pressure is to blame for that. */
  private boolean isAllOfARun(Reason.Planned reason, long requestsBefore) {
    long itsOwn = context.account().budget().used() - requestsBefore;
    return itsOwn > requestsBefore
        && switch (reason) {
          case REQUEST_CAP -> true;
          case WALL_CLOCK -> !context.lane().wasPressed();
          case RETRY_BUDGET, CANCELLED -> false;
        };
  }
}

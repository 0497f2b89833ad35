package dev.sluice.collect.run;

import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.collect.sink.TakenOverException;
import dev.sluice.runs.bookmark.Bookmark;
import dev.sluice.runs.bookmark.Bookmarks;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.lease.LeaseLostException;
import dev.sluice.runs.store.Transaction;
import dev.sluice.runs.store.Work;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A track that this run has the lease of. Whatever is read or written of it here is refused with a
 * {@link LeaseLostException} once somebody else has taken it over.
 */
final class HeldTrack {
  private final RunContext context;
  private final Track track;
  private final Lease lease;

  HeldTrack(RunContext context, Track track, Lease lease) {
    this.context = context;
    this.track = track;
    this.lease = lease;
  }

  Track track() {
    return track;
  }

  /** Where it stands: as this run or somebody before it left it, never somebody after it. */
  Optional<Bookmark> bookmark() {
    return context
        .store()
        .read(
            transaction -> {
              Optional<Bookmark> bookmark = Bookmarks.find(transaction, track);
              lease.requireNewest(transaction);
              return bookmark;
            });
  }

  /**
   * Opens what it writes to, as the bookmark left it; if that was reset, as if nothing was there.
   */
  TrackWriter open(List<StreamShape> streams, Optional<Bookmark> bookmark)
      throws IOException, InterruptedException {
    boolean anew = bookmark.map(Bookmark::anew).orElse(false);
    TrackWriter writer;
    try {
      SliceWriter ofSink =
          context.sink().open(track, streams, lease.fence(), bookmark.flatMap(Bookmark::mark));
      writer = new TrackWriter(context.progress(), track, anew, ofSink);
    } catch (TakenOverException e) {
      throw new SinkException(otherState(e));
    } catch (IOException e) {
      throw new SinkException(e);
    }
    if (anew) {
      beginAnew(writer);
    }
    return writer;
  }

  /**
   * Whoever has the newest lease, and is told of a newer one by the sink, has another state than
   * who wrote there.
   *
   * @throws LeaseLostException if somebody did take the track over
   */
  private IOException otherState(TakenOverException e) {
    Void unused =
        context
            .store()
            .read(
                transaction -> {
                  lease.requireNewest(transaction);
                  return null;
                });
    return new IOException(
        "%s: what is there was written under another state, by which %s stands elsewhere; use that state (--state), or another place or name for this collection"
            .formatted(context.sink().description(), track),
        e);
  }

  /** From here on, what the sink holds and the bookmark does not know is of the present again. */
  private void beginAnew(TrackWriter writer) throws IOException, InterruptedException {
    boolean begun = false;
    try {
      String mark = writer.prepare(new SliceEnd(Optional.empty(), true), "");
      write(
          transaction -> {
            writer.commit(transaction);
            Bookmarks.move(transaction, track, null, mark);
            return null;
          });
      writer.acknowledge();
      begun = true;
    } finally {
      if (!begun) {
        writer.close();
      }
    }
  }

  /** Whether it is still this run's; keeps it so until the transaction has ended. */
  boolean isHeld(Transaction transaction) {
    try {
      lease.guard(transaction);
      return true;
    } catch (LeaseLostException e) {
      return false;
    }
  }

  /** Writes of it. */
  <T extends @Nullable Object> T write(Work<T> work) {
    return context
        .store()
        .write(
            transaction -> {
              lease.guard(transaction);
              return work.in(transaction);
            });
  }
}

package dev.sluice.collect.sink.singer;

import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.runs.bookmark.Track;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;

/**
 * Messages of the Singer specification, one per line: a {@code SCHEMA} before the first record of
 * each stream, a {@code RECORD} for each record, and a {@code STATE} after each commit.
 *
 * <p>At least once: a slice that is given up, or whose process dies, is sent again, and its records
 * carry the same keys. What the pipe has taken counts as delivered: nobody tells here whether the
 * target has kept it. A {@code STATE} is sent when its bookmark has moved, never before, and all
 * its records come before it. It holds the cursors of all tracks of this sink, by stream and mode,
 * with the split after a colon: {@code
 * {"bookmarks":{"issues":{"steady":{"cursor":"…"},"steady:eu":{"cursor":"…"}}}}}. It is for targets
 * and people: Sluice itself goes on from its own bookmarks.
 *
 * <p>Thread-safe; messages of several tracks never mix within a line.
 */
public final class SingerSink implements Sink {
  private final Messages messages;

  /**
   * Messages to a pipe.
   *
   * @param out is flushed at the end of each slice, and never closed
   */
  public SingerSink(OutputStream out) {
    this.messages = new Messages(out);
  }

  @Override
  public SliceWriter open(Track track, List<StreamShape> streams, long fence, Optional<String> mark)
      throws IOException {
    return new SingerWriter(messages, track, streams, mark);
  }

  @Override
  public String description() {
    return "Singer messages";
  }

  @Override
  public void close() throws IOException {
    messages.finish();
  }
}

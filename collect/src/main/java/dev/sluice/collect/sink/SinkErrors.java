package dev.sluice.collect.sink;

import dev.sluice.gate.words.ShellWord;
import dev.sluice.runs.bookmark.Track;
import java.io.IOException;
import java.util.Collection;

/** What sinks of every kind tell, and people are told to do. */
public final class SinkErrors {
  private SinkErrors() {}

  /**
   * What is told of a mark that another kind of sink has left.
   *
   * @param kind with its article: {@code an SQL sink}
   */
  public static IOException notOurMark(String kind, String mark) {
    return new IOException(
        "the bookmark's mark was not written by %s: '%s'; give the collection the sink that it had before, or begin it anew under another name"
            .formatted(kind, mark.length() > 80 ? mark.substring(0, 80) + "…" : mark));
  }

  /** What is thrown for a record of a stream that the track was not opened for. */
  public static IllegalArgumentException unknownStream(String stream, Collection<String> known) {
    return new IllegalArgumentException(
        "a record of '%s' was written, but the track was opened for %s".formatted(stream, known));
  }

  /**
   * Refuses what comes between a slice's preparation and the word of its bookmark.
   *
   * @param undecided whether a slice is between them
   */
  public static void requireDecided(boolean undecided) {
    if (undecided) {
      throw new IllegalStateException(
          "a slice is prepared and neither acknowledged nor left to the next writer");
    }
  }

  /**
   * The command that lets a track begin anew, as a shell takes it, when a sink has lost what its
   * bookmark counts on. What recovery had fetched can be of any stream's records, so there it is
   * that for all of them.
   */
  public static String beginAnew(Track track) {
    String all = "sluice reset " + ShellWord.quoted(track.collection());
    if (track.isRecovery()) {
      return all;
    }
    String stream = all + " --stream " + ShellWord.quoted(track.stream());
    return track.split().isEmpty()
        ? stream
        : stream + " --split " + ShellWord.quoted(track.split());
  }
}

package dev.sluice.collect.sink;

import dev.sluice.collect.connector.StreamShape;
import dev.sluice.runs.bookmark.Track;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Where the records of a collection go. Thread-safe; each track is written by one task. */
public interface Sink extends AutoCloseable {

  /**
   * Opens what a track writes to, as its last bookmark left it: anything after that is forgotten.
   *
   * @param streams the list stream and its details, whose records come mixed
   * @param fence the number of the track's lease; a writer with a lower one can do no more harm
   * @param mark what {@link SliceWriter#prepare} returned for the bookmark; empty at the beginning.
   *     It was read while nobody had a newer lease
   * @throws TakenOverException if the sink knows of a newer lease
   */
  SliceWriter open(Track track, List<StreamShape> streams, long fence, Optional<String> mark)
      throws IOException;

  /** For people: what kind and where, without secrets. */
  String description();

  @Override
  void close() throws IOException;
}

package dev.sluice.collect.sink.sql;

import dev.sluice.runs.bookmark.Track;
import java.sql.SQLException;

/** Somebody with a newer lease writes this track now. */
final class FencedException extends SQLException {
  private static final long serialVersionUID = 1L;

  FencedException(Track track) {
    super(
        "another run has taken over "
            + track
            + ": nothing of this one is written any more; nothing has to be done");
  }
}

package dev.sluice.collect.sink;

import dev.sluice.gate.words.ShellWord;
import dev.sluice.runs.bookmark.Track;

/** What people are told to do when a sink has lost what a bookmark counts on. */
public final class BeginAnew {
  private BeginAnew() {}

  /**
   * The command that lets a track begin anew, as a shell takes it. What recovery had fetched can be
   * of any stream's records, so there it is that for all of them.
   */
  public static String command(Track track) {
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

package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.yaml.paging.Pages;
import dev.sluice.collect.yaml.paging.SeekPages;
import dev.sluice.collect.yaml.stream.StreamRule.CatchUp;
import dev.sluice.config.Section;
import java.util.List;
import java.util.Optional;

/** What does not go together in a stream, each key by itself being right. */
final class StreamChecks {

  private StreamChecks() {}

  static void check(
      Section stream,
      Pages pages,
      Optional<CursorRule> cursor,
      Optional<WindowRule> window,
      Optional<CatchUp> catchUp,
      boolean details) {
    boolean asks = cursor.flatMap(CursorRule::ask).isPresent();
    if (pages instanceof SeekPages) {
      if (details) {
        stream.mistake("pages", "seek, but details are read whole; another way is needed");
      } else if (window.isPresent()) {
        stream.mistake("pages", "seek, but slices are windows already; another way is needed");
      } else if (!asks) {
        stream.mistake("pages", "seek, which needs cursor.ask (from which value on is asked for)");
      }
    }
    if (details && asks) {
      stream.mistake("cursor", "is asked for, but details are read whole; leave out ask");
    }
    if (catchUp.isPresent() && window.isEmpty()) {
      if (!asks || !cursor.orElseThrow().type().isTime()) {
        stream.mistake(
            "catch-up", "needs slices, or a cursor that is a time and is asked for (as, ask)");
      }
      if (catchUp.get().newestFirst()) {
        stream.mistake("catch-up", "is newest-first, which needs slices");
      }
    }
    if (window.isPresent() && catchUp.flatMap(CatchUp::from).isEmpty()) {
      stream.mistake("slices", "need a beginning: catch-up: {from: …}");
    }
  }

  /** What it takes to see that a provider has nothing any more. */
  static void checkRetention(
      Section stream, Optional<CursorRule> cursor, Optional<WindowRule> window) {
    boolean asksForTimes =
        cursor.filter(rule -> rule.ask().isPresent() && rule.type().isTime()).isPresent();
    if (window.isEmpty() && !asksForTimes) {
      stream.mistake(
          "retention", "needs slices, or a cursor that is a time and is asked for (as, ask)");
    }
  }

  /** What does not go with a token that the provider issues. */
  static void checkToken(Section stream, Pages pages, boolean details) {
    if (details) {
      stream.mistake("cursor", "is a token, but details are read whole; leave it out");
    }
    for (String key : List.of("slices", "catch-up")) {
      if (stream.has(key)) {
        stream.mistake(key, "goes by values, but the cursor is a token; cursor.begin can say more");
      }
    }
    if (pages instanceof SeekPages || pages.positional()) {
      stream.mistake(
          "pages",
          "go by position, but the cursor is a token; token, follow or link-header is needed");
    }
  }
}

package dev.sluice.collect.yaml.paging;

import dev.sluice.collect.yaml.request.Next;
import dev.sluice.collect.yaml.request.Page;
import java.util.Optional;
import java.util.OptionalLong;

/** How the pages of a stream follow each other. Immutable. */
public interface Pages {

  /** A walk from the first page on. */
  Walk begin();

  /**
   * How to go on from what a {@link Walk.Step} said; empty if a later run cannot, because page
   * numbers and offsets mean something else by then.
   */
  default Optional<Next> resumed(String token) {
    return Optional.empty();
  }

  /** Whether walks can be resumed. */
  default boolean resumable() {
    return false;
  }

  /** Whether pages are told apart by their position, so that all of them are read at a time. */
  default boolean positional() {
    return false;
  }

  /** Whether a token that the provider no longer takes sends the walk back to its beginning. */
  default boolean restartsWhenTokenDies() {
    return false;
  }

  /**
   * Whether a header tells that there are more pages: then a body that has not changed does not
   * mean that there are none.
   */
  default boolean tellsByHeader() {
    return false;
  }

  /** How many records all pages have together, by what a page says; empty if nobody guards it. */
  default OptionalLong total(Page page) {
    return OptionalLong.empty();
  }
}

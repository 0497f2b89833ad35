package dev.sluice.simulator.catalogue;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One item, as it is now.
 *
 * @param id its key, from 1 on; never used again
 * @param created when it appeared, in whole seconds
 * @param updated when it last changed, in whole seconds
 * @param revision how often it has changed, its appearance included
 * @param commentCount how many comments it has
 * @param salt what the rest of it is made from
 */
public record Item(
    long id, Instant created, Instant updated, int revision, int commentCount, long salt) {
  private static final List<String> STATES = List.of("open", "waiting", "closed");
  private static final List<String> WORDS =
      List.of(
          "pump", "valve", "gate", "weir", "lock", "canal", "basin", "gauge", "flume", "culvert");

  /** A few words that tell items apart. */
  public String title() {
    return WORDS.get((int) Math.floorMod(salt, 10L))
        + " "
        + WORDS.get((int) Math.floorMod(salt >> 8, 10L))
        + " "
        + id;
  }

  /** Changes with the revision. */
  public String state() {
    return STATES.get((int) Math.floorMod(salt + revision, 3L));
  }

  /** Changes with the revision. */
  public long amount() {
    return Math.floorMod(salt * 31 + revision * 7_919L, 100_000L);
  }

  /** The comments, oldest first. */
  public List<Comment> comments() {
    return IntStream.range(0, commentCount).mapToObj(this::comment).toList();
  }

  private Comment comment(int index) {
    String author = "reader-" + Math.floorMod(salt + index * 17L, 40L);
    String text = "Note " + (index + 1) + " on " + title();
    return new Comment(id * 1_000 + index, id, author, text, created.plusSeconds(index * 60L));
  }

  Item changed(boolean commented, Instant at) {
    int comments = Math.min(999, commentCount + (commented ? 1 : 0));
    return new Item(id, created, at, revision + 1, comments, salt);
  }

  /**
   * What somebody said about an item.
   *
   * @param id its key
   * @param itemId the item's key
   * @param author who said it
   * @param text what was said
   * @param created when
   */
  public record Comment(long id, long itemId, String author, String text, Instant created) {}
}

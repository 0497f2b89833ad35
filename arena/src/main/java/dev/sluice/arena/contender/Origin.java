package dev.sluice.arena.contender;

/** Where a peer's decisions come from. */
public enum Origin {
  /** A rule that needs no library: written here. */
  RULE("rule"),

  /** The library itself decides, on simulated time. */
  LIBRARY("library"),

  /**
   * Written here after the library, because its chance, its clock or its language cannot be used.
   */
  TRANSCRIPTION("transcription");

  private final String wireName;

  Origin(String wireName) {
    this.wireName = wireName;
  }

  /** As it stands in reports; never changes. */
  public String wireName() {
    return wireName;
  }
}

package dev.sluice.arena;

import java.util.List;

/**
 * A scenario as reports speak of it.
 *
 * @param league the league's name
 * @param name unique in its league
 * @param description its service in one line
 * @param isRandom whether it was drawn by chance
 * @param traits words by which goals find it
 */
public record Venue(
    String league, String name, String description, boolean isRandom, List<String> traits) {
  public Venue {
    traits = List.copyOf(traits);
  }

  /** A trait: nobody knows what the best possible client would reach here. */
  public static final String UNRATED = "unrated";

  /** Whether there is something to measure clients by. */
  public boolean isRated() {
    return !traits.contains(UNRATED);
  }
}

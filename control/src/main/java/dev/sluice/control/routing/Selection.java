package dev.sluice.control.routing;

import dev.sluice.control.signal.WireName;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The selection strategies by name, as a configuration chooses them. */
public enum Selection implements WireName {
  /** {@link ThrottleAwareStrategy}, the default. */
  THROTTLE_AWARE,
  /** {@link RoundRobinStrategy}. */
  ROUND_ROBIN,
  /** {@link LeastConnectionsStrategy}. */
  LEAST_CONNECTIONS,
  /** {@link MostHeadroomStrategy}. */
  MOST_HEADROOM;

  /** With hyphens, as options are written: {@code round-robin}. */
  @Override
  public String wireName() {
    return WireName.super.wireName().replace('_', '-');
  }

  /** A new strategy for one gate. */
  public SelectionStrategy strategy() {
    return switch (this) {
      case THROTTLE_AWARE -> new ThrottleAwareStrategy();
      case ROUND_ROBIN -> new RoundRobinStrategy();
      case LEAST_CONNECTIONS -> new LeastConnectionsStrategy();
      case MOST_HEADROOM -> new MostHeadroomStrategy();
    };
  }

  /**
   * The strategy of a name, in any case style: {@code round-robin}, {@code RoundRobin}, {@code
   * ROUND_ROBIN}.
   *
   * @throws IllegalArgumentException if there is none; the message lists those that there are
   */
  public static Selection named(String name) {
    for (Selection selection : values()) {
      if (plain(selection.wireName()).equals(plain(name))) {
        return selection;
      }
    }
    throw new IllegalArgumentException(
        "there is no selection strategy \""
            + name
            + "\"; choose one of "
            + Arrays.stream(values()).map(WireName::wireName).collect(Collectors.joining(", ")));
  }

  private static String plain(String name) {
    return name.strip().replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
  }
}

package dev.sluice.control.signal;

import java.util.Locale;

/** Something with a stable name in events, metrics and stores; a test pins each name. */
public interface WireName {

  /** The constant's name in the source. */
  String name();

  /** The stable name: the constant's own in lower case ({@code retry_budget}). */
  default String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}

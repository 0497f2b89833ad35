package dev.sluice.gate.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells people what is odd about a service's hints: once for every lane and flag, because a header
 * that cannot be read comes with every answer. Thread-safe.
 */
final class OddHints {
  private static final Logger log = LoggerFactory.getLogger(GatedClient.class);

  private record Told(String lane, Flag flag) {}

  private final Set<Told> told = ConcurrentHashMap.newKeySet();

  /** Logs what is new. */
  void report(String lane, Set<Flag> flags) {
    for (Flag flag : news(lane, flags)) {
      log.warn(
          "odd hints lane={} flag={}: a header says something about limits that was ignored or"
              + " replaced; if it matters, declare it with a dialect. Not told again for this lane",
          lane,
          flag.wireName());
    }
  }

  /** The flags that this lane has not had before. */
  List<Flag> news(String lane, Set<Flag> flags) {
    if (flags.isEmpty()) {
      return List.of();
    }
    List<Flag> fresh = new ArrayList<>(flags.size());
    for (Flag flag : flags) {
      if (told.add(new Told(lane, flag))) {
        fresh.add(flag);
      }
    }
    return fresh;
  }
}

package dev.sluice.simulator.provider.http;

import java.util.ArrayDeque;
import java.util.List;

/** The last requests. Single-threaded. */
final class RequestLog {
  /** Older ones are forgotten. */
  static final int MOST = 10_000;

  private final ArrayDeque<LoggedRequest> requests = new ArrayDeque<>();

  void add(LoggedRequest request) {
    if (requests.size() == MOST) {
      requests.removeFirst();
    }
    requests.add(request);
  }

  /** The last ones, oldest first. */
  List<LoggedRequest> last(long most) {
    return requests.stream().skip(Math.max(0, requests.size() - most)).toList();
  }
}

package dev.sluice.gate.http;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Answers written as they look on the wire. */
final class Answers {
  static final Instant NOW = Instant.parse("2026-01-15T12:00:00Z");

  private Answers() {}

  /** An answer received at {@link #NOW}, 100 ms after it was asked for. */
  static Answer answer(int status, String... headerLines) {
    return answerAt(NOW, status, headerLines).withRoundTrip(Duration.ofMillis(100));
  }

  static Answer answerAt(Instant receivedOn, int status, String... headerLines) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (String line : headerLines) {
      int colon = line.indexOf(':');
      headers
          .computeIfAbsent(line.substring(0, colon), unused -> new ArrayList<>())
          .add(line.substring(colon + 1).strip());
    }
    return Answer.of(status, headers, receivedOn);
  }

  static Reading read(int status, String... headerLines) {
    return Signals.builder().build().read(answer(status, headerLines));
  }
}

package dev.sluice.dataverse.fault;

import dev.sluice.gate.wire.WebAnswer;

/** Describes an answer that is not Dataverse's own, so that people find who gave it. */
final class ForeignAnswer {
  private static final int LONGEST_TEXT = 200;

  private ForeignAnswer() {}

  /** Status, server, where it redirects to, and the beginning of its text. */
  static String describe(WebAnswer answer) {
    StringBuilder description = new StringBuilder("status ").append(answer.status());
    header(answer, "Server", " from ", description);
    header(answer, "Via", " via ", description);
    header(answer, "Location", ", redirects to ", description);
    String text = answer.text().replaceAll("<[^>]*>", " ").replaceAll("\\s+", " ").strip();
    if (!text.isEmpty()) {
      description.append(": ").append(text, 0, Math.min(text.length(), LONGEST_TEXT));
    }
    return description.toString();
  }

  private static void header(
      WebAnswer answer, String name, String before, StringBuilder description) {
    answer
        .headers()
        .firstValue(name)
        .map(value -> value.replaceAll("[?#].*", "")) // a query may carry secrets
        .map(value -> value.substring(0, Math.min(value.length(), LONGEST_TEXT)))
        .ifPresent(value -> description.append(before).append(value));
  }
}

package dev.sluice.collect.yaml.check;

import dev.sluice.runs.bookmark.Mode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A test of one stream, as a file declares it. Immutable.
 *
 * @param details the streams of details that are read with it
 * @param config what is configured for it; made up where it says nothing
 * @param now what the clock shows when it begins; empty for any time
 * @param cursor where the stream stands before; empty for the beginning
 * @param script the provider's answers, one after the other
 */
public record CheckRule(
    String name,
    String stream,
    List<String> details,
    Mode mode,
    Map<String, String> config,
    Optional<Instant> now,
    Optional<String> cursor,
    List<Scripted> script,
    Expected expected) {
  public CheckRule {
    details = List.copyOf(details);
    config = Map.copyOf(config);
    script = List.copyOf(script);
  }

  /**
   * One answer.
   *
   * @param asked what the request has to hold, in its path, query or body
   * @param file with its body, beside the connector file; empty for a body as written
   * @param headers names and values in turn
   */
  public record Scripted(
      List<String> asked, int status, Optional<String> file, String body, List<String> headers) {
    public Scripted {
      asked = List.copyOf(asked);
      headers = List.copyOf(headers);
    }
  }

  /**
   * What has to come of it; what is empty is not looked at.
   *
   * @param details how many records the details have
   * @param gaps of how many records the details are missing, to be tried again by a later run
   * @param gone of how many records there are no details, ever
   * @param fails with which reason the reading ends
   */
  public record Expected(
      Optional<Integer> records,
      Optional<Integer> details,
      Optional<Integer> gaps,
      Optional<Integer> gone,
      Optional<Integer> requests,
      Optional<Integer> throttled,
      Optional<String> cursor,
      Optional<String> fails) {
    static final Expected NOTHING =
        new Expected(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
  }
}

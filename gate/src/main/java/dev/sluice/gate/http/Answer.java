package dev.sluice.gate.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.sluice.control.Ticker;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * As much of a response as it takes to know what it means, whichever HTTP client brought it.
 *
 * <p>Immutable and thread-safe. Prints as its status alone: headers and bodies are nobody's
 * business in a log.
 */
public final class Answer {
  private static final int LONGEST_BODY = 64 * 1024;

  private final int status;
  private final Map<String, List<String>> headers;
  private final Instant receivedOn;
  private final @Nullable Duration roundTrip;
  private final @Nullable Object body;

  private Answer(
      int status,
      Map<String, List<String>> headers,
      Instant receivedOn,
      @Nullable Duration roundTrip,
      @Nullable Object body) {
    this.status = status;
    this.headers = headers;
    this.receivedOn = requireNonNull(receivedOn, "receivedOn");
    this.roundTrip = roundTrip;
    this.body = body;
  }

  /**
   * An answer from any client.
   *
   * @param headers names in any case, each with its field lines in order; copied
   * @param receivedOn the wall clock when it came
   */
  public static Answer of(int status, Map<String, List<String>> headers, Instant receivedOn) {
    return new Answer(status, ignoringCase(headers), receivedOn, null, null);
  }

  /** An answer whose headers {@code java.net.http} has brought. */
  public static Answer of(int status, HttpHeaders headers, Instant receivedOn) {
    return new Answer(status, headers.map(), receivedOn, null, null);
  }

  /**
   * An answer that {@code java.net.http} has just brought; a body of text or bytes is kept for
   * whoever asks.
   *
   * @param sentAt when the request was sent, in {@code time}'s nanoseconds
   */
  public static Answer of(HttpResponse<?> response, long sentAt, Ticker time) {
    return received(response, time, Duration.ofNanos(Math.max(0, time.nanos() - sentAt)));
  }

  /** The same where nobody remembers when the request was sent. */
  public static Answer of(HttpResponse<?> response, Ticker time) {
    return received(response, time, null);
  }

  // A HttpHeaders' map finds names in any case, and cannot be changed.
  private static Answer received(
      HttpResponse<?> response, Ticker time, @Nullable Duration roundTrip) {
    Object body = response.body();
    boolean readable = body instanceof String || body instanceof byte[];
    return new Answer(
        response.statusCode(),
        response.headers().map(),
        time.instant(),
        roundTrip,
        readable ? body : null);
  }

  /** The same answer, knowing the time from sending the request to receiving this. */
  public Answer withRoundTrip(Duration elapsed) {
    if (elapsed.isNegative()) {
      throw new IllegalArgumentException(
          "roundTrip is "
              + elapsed
              + ", but must be 0 or more (the time from sending the request to its answer)");
    }
    return new Answer(status, headers, receivedOn, elapsed, body);
  }

  /** The same answer with its body, or the beginning of it. */
  public Answer withBody(String text) {
    return new Answer(status, headers, receivedOn, roundTrip, requireNonNull(text, "text"));
  }

  /** The status, whatever number was sent. */
  public int status() {
    return status;
  }

  /** All headers; names are found in any case. */
  public Map<String, List<String>> headers() {
    return headers;
  }

  /** The field lines of a header, in order; empty if there is none. */
  public List<String> header(String name) {
    return headers.getOrDefault(name, List.of());
  }

  /**
   * One part of a header that packs several values into a line, as {@code 200,2000} does: of every
   * line that has so many parts, the one at {@code index}, from 0.
   */
  public List<String> part(String name, char separator, int index) {
    List<String> parts = new ArrayList<>(1);
    for (String line : header(name)) {
      int from = 0;
      for (int i = 0; i < index && from >= 0; i++) {
        int end = line.indexOf(separator, from);
        from = end < 0 ? -1 : end + 1;
      }
      if (from >= 0) {
        int end = line.indexOf(separator, from);
        parts.add(line.substring(from, end < 0 ? line.length() : end));
      }
    }
    return parts;
  }

  /** Whether the body is of a type: {@code text/html} also matches {@code Text/HTML; a=b}. */
  public boolean hasType(String type) {
    for (String line : header("content-type")) {
      String value = line.strip();
      if (value.regionMatches(true, 0, type, 0, type.length())
          && (value.length() == type.length()
              || " ;\t".indexOf(value.charAt(type.length())) >= 0)) {
        return true;
      }
    }
    return false;
  }

  /** The wall clock when the answer came. */
  public Instant receivedOn() {
    return receivedOn;
  }

  /** From sending the request to receiving this answer; empty if unknown. */
  public Optional<Duration> roundTrip() {
    return Optional.ofNullable(roundTrip);
  }

  /** The first 64 KiB of the body, if whoever made this gave it. */
  public Optional<String> body() {
    if (body instanceof String text) {
      return Optional.of(text.substring(0, Math.min(text.length(), LONGEST_BODY)));
    }
    return body instanceof byte[] bytes
        ? Optional.of(new String(bytes, 0, Math.min(bytes.length, LONGEST_BODY), UTF_8))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return "answer " + status;
  }

  private static Map<String, List<String>> ignoringCase(Map<String, List<String>> headers) {
    Map<String, List<String>> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach(
        (name, lines) ->
            sorted.merge(
                name,
                List.copyOf(lines),
                (one, other) -> {
                  List<String> both = new ArrayList<>(one);
                  both.addAll(other);
                  return List.copyOf(both);
                }));
    return Collections.unmodifiableMap(sorted);
  }
}

package dev.sluice.dataverse.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sluice.gate.wire.WebAnswer;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes the answer to a batch apart. Parts stand in the order of their requests and say nothing
 * else about which they answer, nor how long they are: only boundaries divide them.
 */
final class BatchAnswer {
  private static final Pattern BOUNDARY =
      Pattern.compile("boundary\\s*=\\s*(?:\"([^\"]+)\"|([^;\\s]+))", Pattern.CASE_INSENSITIVE);
  private static final Pattern STATUS = Pattern.compile("HTTP/\\S+ (\\d{3})(?: .*)?");

  private BatchAnswer() {}

  /** The answers to the parts; null if this is an answer to the batch as a whole. */
  static @Nullable List<WebAnswer> parts(WebAnswer answer) {
    String type = answer.headers().firstValue("Content-Type").orElse("");
    Matcher matcher = BOUNDARY.matcher(type);
    if (!type.regionMatches(true, 0, "multipart/mixed", 0, 15) || !matcher.find()) {
      return null;
    }
    String mark = "--" + (matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
    // One character per byte: what is not ASCII passes through as it is.
    String text = new String(answer.body(), ISO_8859_1);
    List<WebAnswer> parts = new ArrayList<>();
    int start = markAt(text, mark, 0);
    while (start >= 0 && !text.startsWith("--", start + mark.length())) {
      int next = markAt(text, mark, start + mark.length());
      if (next < 0) {
        break; // cut off: what is not whole is not believed
      }
      WebAnswer part = part(text.substring(start + mark.length(), next));
      if (part == null) {
        break;
      }
      parts.add(part);
      start = next;
    }
    return parts;
  }

  /** A boundary counts at the start of a line only. */
  private static int markAt(String text, String mark, int from) {
    int at = text.indexOf(mark, from);
    while (at > 0 && text.charAt(at - 1) != '\n') {
      at = text.indexOf(mark, at + 1);
    }
    return at;
  }

  private static @Nullable WebAnswer part(String text) {
    int head = text.indexOf("HTTP/");
    int line = head < 0 ? -1 : text.indexOf("\r\n", head);
    if (line < 0) {
      return null;
    }
    Matcher status = STATUS.matcher(text.substring(head, line));
    if (!status.matches()) {
      return null;
    }
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    int at = line + 2;
    while (at < text.length()) {
      int end = text.indexOf("\r\n", at);
      if (end == at || end < 0) {
        at = end < 0 ? text.length() : end + 2;
        break;
      }
      int colon = text.indexOf(':', at);
      if (colon > at && colon < end) {
        headers
            .computeIfAbsent(text.substring(at, colon).strip(), name -> new ArrayList<>())
            .add(text.substring(colon + 1, end).strip());
      }
      at = end + 2;
    }
    return new WebAnswer(
        Integer.parseInt(status.group(1)),
        HttpHeaders.of(headers, (name, value) -> true),
        text.substring(at).strip().getBytes(ISO_8859_1));
  }
}

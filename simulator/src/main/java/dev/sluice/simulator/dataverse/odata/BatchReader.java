package dev.sluice.simulator.dataverse.odata;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Request;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Takes the body of a {@code $batch} apart. */
public final class BatchReader {
  private static final Pattern BOUNDARY =
      Pattern.compile("boundary\\s*=\\s*(?:\"([^\"]+)\"|([^;\\s]+))", Pattern.CASE_INSENSITIVE);
  private static final String MIXED = "multipart/mixed";
  private static final String LINE = "\r\n";
  private static final int MOST = 1_000;

  private int operations;

  private BatchReader() {}

  /** What a batch holds, one after the other. */
  public sealed interface Entry {}

  /**
   * A request by itself.
   *
   * @param contentId its content id; null without one
   * @param request what it asks for
   */
  public record Single(@Nullable String contentId, Request request) implements Entry {}

  /**
   * Requests that hold together.
   *
   * @param requests in order
   */
  public record ChangeSet(List<Single> requests) implements Entry {}

  /**
   * The entries of a batch. Parts under another boundary than the header's are not seen, as the
   * service does not see them.
   */
  public static List<Entry> read(Request batch) throws WebApiException {
    String type = batch.headers().first("Content-Type");
    String boundary = type == null ? null : boundary(type);
    if (type == null || boundary == null || !isMixed(type)) {
      throw Errors.payload(
          "$batch", "The content type of a batch must be multipart/mixed with a boundary.");
    }
    // One character per byte: what is not ASCII passes through as it is.
    String text = new String(batch.body(), StandardCharsets.ISO_8859_1);
    if (text.indexOf(LINE) < 0 && !text.isEmpty()) {
      throw Errors.payload("$batch", "Stream was not readable.");
    }
    BatchReader reader = new BatchReader();
    List<Entry> entries = new ArrayList<>();
    for (String part : parts(text, boundary)) {
      entries.add(reader.entry(part));
    }
    return entries;
  }

  private static boolean isMixed(String type) {
    return type.regionMatches(true, 0, MIXED, 0, MIXED.length());
  }

  private static @Nullable String boundary(String type) {
    Matcher matcher = BOUNDARY.matcher(type);
    return !matcher.find() ? null : matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
  }

  private static List<String> parts(String text, String boundary) throws WebApiException {
    String mark = "--" + boundary;
    List<String> parts = new ArrayList<>();
    int at = markAt(text, mark, 0);
    while (at >= 0) {
      int start = at + mark.length();
      if (text.startsWith("--", start)) {
        return parts;
      }
      int next = markAt(text, mark, start);
      if (next < 0) {
        throw Errors.payload("$batch", "The end of the batch is missing.");
      }
      int line = text.indexOf(LINE, start);
      if (line < 0 || line >= next) {
        throw Errors.payload("$batch", "Stream was not readable.");
      }
      parts.add(text.substring(line + LINE.length(), next));
      at = next;
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

  private Entry entry(String part) throws WebApiException {
    Block block = Block.of(part);
    String type = block.headers().first("Content-Type");
    if (type == null || !isMixed(type)) {
      return single(block);
    }
    String boundary = boundary(type);
    if (boundary == null) {
      throw Errors.payload("$batch", "A change set has no boundary.");
    }
    List<Single> requests = new ArrayList<>();
    for (String inner : parts(block.rest(), boundary)) {
      Single request = single(Block.of(inner));
      if (request.request().method().equals("GET")) {
        throw Errors.payload(
            "$batch", "An invalid HTTP method 'GET' was detected for a request in a change set.");
      }
      requests.add(request);
    }
    return new ChangeSet(requests);
  }

  private Single single(Block part) throws WebApiException {
    if (++operations > MOST) {
      throw Errors.payload(
          "$batch",
          ("The current batch message contains too many parts. Only batch messages with a maximum"
                  + " number of '%d' query operations, including changeset operations, are allowed.")
              .formatted(MOST));
    }
    String rest = part.rest();
    int line = rest.indexOf(LINE);
    String[] words = (line < 0 ? rest : rest.substring(0, line)).strip().split(" ", -1);
    if (words.length != 3 || !words[2].startsWith("HTTP/")) {
      throw Errors.payload("$batch", "The request line of a part is malformed.");
    }
    Block request = line < 0 ? Block.of("") : Block.of(rest.substring(line + LINE.length()));
    // The line break before the boundary belongs to the boundary.
    String body = request.rest();
    return new Single(
        part.headers().first("Content-ID"),
        new Request(
            words[0],
            target(words[1]),
            request.headers(),
            (body.endsWith(LINE) ? body.substring(0, body.length() - 2) : body)
                .getBytes(StandardCharsets.ISO_8859_1)));
  }

  private static String target(String url) {
    if (url.startsWith("http://") || url.startsWith("https://")) {
      int slash = url.indexOf('/', url.indexOf("//") + 2);
      return slash < 0 ? "/" : url.substring(slash);
    }
    return url.startsWith("/") ? url : "/" + url;
  }

  /** Header fields, an empty line, and the rest. */
  private record Block(Headers headers, String rest) {

    static Block of(String text) throws WebApiException {
      Headers headers = new Headers();
      int at = 0;
      while (at < text.length()) {
        int end = text.indexOf(LINE, at);
        if (end == at) {
          return new Block(headers, text.substring(at + LINE.length()));
        }
        String line = text.substring(at, end < 0 ? text.length() : end);
        int colon = line.indexOf(':');
        if (colon <= 0) {
          throw Errors.payload("$batch", "Stream was not readable.");
        }
        headers.add(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
        at = end < 0 ? text.length() : end + LINE.length();
      }
      return new Block(headers, "");
    }
  }
}

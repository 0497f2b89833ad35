package dev.sluice.simulator.dataverse.odata;

import dev.sluice.simulator.http.Response;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts the body of an answer to a {@code $batch} together. Not thread-safe. */
public final class BatchWriter {
  private static final Map<Integer, String> REASONS =
      Map.ofEntries(
          Map.entry(200, "OK"),
          Map.entry(201, "Created"),
          Map.entry(204, "No Content"),
          Map.entry(304, "Not Modified"),
          Map.entry(400, "Bad Request"),
          Map.entry(401, "Unauthorized"),
          Map.entry(403, "Forbidden"),
          Map.entry(404, "Not Found"),
          Map.entry(405, "Method Not Allowed"),
          Map.entry(412, "Precondition Failed"),
          Map.entry(429, "Too Many Requests"),
          Map.entry(500, "Internal Server Error"),
          Map.entry(501, "Not Implemented"));

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1_024);
  private final String boundary;

  /** An empty answer whose parts are divided so. */
  public BatchWriter(String boundary) {
    this.boundary = boundary;
  }

  /** Adds the answer to one request. */
  public void add(Response response) {
    part(boundary, null, response);
  }

  /** Starts the answers to a change set, which are divided so. */
  public void startChangeSet(String inner) {
    line("--" + boundary);
    line("Content-Type: multipart/mixed; boundary=" + inner);
    line("");
  }

  /** Adds the answer to one request of a change set. */
  public void addToChangeSet(String inner, @Nullable String contentId, Response response) {
    part(inner, contentId, response);
  }

  /** Ends the answers to a change set. */
  public void endChangeSet(String inner) {
    line("--" + inner + "--");
  }

  /** The whole body. */
  public byte[] finish() {
    line("--" + boundary + "--");
    return bytes.toByteArray();
  }

  private void part(String divider, @Nullable String contentId, Response response) {
    line("--" + divider);
    line("Content-Type: application/http");
    line("Content-Transfer-Encoding: binary");
    if (contentId != null) {
      line("Content-ID: " + contentId);
    }
    line("");
    line(
        "HTTP/1.1 %d %s".formatted(response.status(), REASONS.getOrDefault(response.status(), "")));
    response.headers().forEach((name, value) -> line(name + ": " + value));
    line("");
    bytes.writeBytes(response.body());
    line("");
  }

  private void line(String text) {
    bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    bytes.write('\r');
    bytes.write('\n');
  }
}

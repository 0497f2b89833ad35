package dev.sluice.simulator.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Bodies compressed with gzip, in both directions. */
final class Compression {
  /** Below this, compressing costs more than it saves. */
  private static final int SMALLEST = 512;

  private Compression() {}

  /** A body cannot be unpacked; carries how to answer. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final int status;

    RefusedException(int status, String reason) {
      super(reason, null, false, false);
      this.status = status;
    }

    int status() {
      return status;
    }

    String reason() {
      return String.valueOf(getMessage());
    }
  }

  /** The request with its body as it was before it was compressed, at most so many bytes. */
  static Request decoded(Request request, long most) throws RefusedException {
    String encoding = request.headers().first("Content-Encoding");
    if (encoding == null || encoding.isBlank() || encoding.equalsIgnoreCase("identity")) {
      return request;
    }
    if (!encoding.strip().equalsIgnoreCase("gzip")) {
      throw new RefusedException(
          415, "The content encoding '%s' is not supported; gzip is.".formatted(encoding));
    }
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(request.body()))) {
      byte[] body = in.readNBytes((int) most + 1);
      if (body.length > most) {
        throw new RefusedException(413, "Too large.");
      }
      return new Request(request.method(), request.target(), request.headers(), body);
    } catch (IOException e) {
      throw new RefusedException(400, "The body is not compressed with gzip, or is cut off.");
    }
  }

  /** The response, compressed if the client accepts that, it is worth it, and nobody has yet. */
  static Response encoded(Response response, Headers asked) {
    if (response.body().length < SMALLEST
        || response.headers().first("Content-Encoding") != null
        || !accepts(asked)) {
      return response;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(response.body().length / 4);
    try (GZIPOutputStream out = new FastGzip(bytes)) {
      out.write(response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory has no such errors
    }
    response.headers().add("Content-Encoding", "gzip");
    return new Response(
        response.status(), response.headers(), bytes.toByteArray(), response.bodyTime());
  }

  /** Answers wait for this: speed counts more than the last few bytes. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  private static boolean accepts(Headers asked) {
    for (String header : asked.all("Accept-Encoding")) {
      for (String coding : header.toLowerCase(Locale.ROOT).split(",", -1)) {
        String[] parts = coding.replace(" ", "").split(";", -1);
        boolean refused = parts.length > 1 && parts[1].matches("q=0(\\.0*)?");
        if (parts[0].equals("gzip") && !refused) {
          return true;
        }
      }
    }
    return false;
  }
}

package dev.sluice.gate.wire;

import static java.util.Objects.requireNonNull;

import dev.sluice.gate.http.Signals;
import dev.sluice.gate.time.Time;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Over HTTP, with one client for the whole process: no cookies, because an affinity cookie that is
 * kept by accident pins one web server; no redirects, because they would take tokens elsewhere; no
 * write is sent twice, because nobody would know of it. The time-out of a request covers the whole
 * answer, body included. Answers may come compressed, and are read up to {@value #LARGEST_BODY}
 * bytes; proxy and trusted authorities are the JDK's. Thread-safe.
 */
public final class HttpTransport implements Transport, AutoCloseable {
  /** More than this is not an answer but a flood: nobody should have to keep it in memory. */
  public static final int LARGEST_BODY = 64 * 1024 * 1024;

  private static final String ALL_METHOD_RETRY = "jdk.httpclient.enableAllMethodRetry";
  private static final String ACCEPT_ENCODING = "Accept-Encoding";
  private static final String BROKE_OFF = "the answer broke off";

  /** How the JDK's client says that a body ended before its end. */
  private static final List<String> CUT_OFF =
      List.of("chunked transfer encoding", "fixed content-length");

  private final HttpClient client;
  private final Time time;

  /** The JDK was told to repeat writes, which nobody would know of. */
  public static final class RetriesEnabledException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    RetriesEnabledException(String message) {
      super(message);
    }
  }

  /**
   * Waits at most so long for a connection.
   *
   * @throws RetriesEnabledException if the JDK was told to repeat writes
   */
  public HttpTransport(Duration connectTimeout, Time time) {
    refuseRetries();
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(connectTimeout)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    this.time = requireNonNull(time, "time");
  }

  /**
   * By itself the JDK's client sends a request again if it could not connect, if a GET or HEAD lost
   * its connection before an answer began, or if an HTTP/2 server says that it did not process it:
   * none of that carries out a write twice. This property lets it repeat everything. It is refused
   * and not switched off, because the JDK reads it once for the whole process, perhaps before us,
   * and other clients in this process may count on it.
   */
  private static void refuseRetries() {
    String value = System.getProperty(ALL_METHOD_RETRY);
    if (value != null && (value.isEmpty() || Boolean.parseBoolean(value))) {
      throw new RetriesEnabledException(
          "-D%s is set, so that the JDK would send a write a second time by itself; remove it"
              .formatted(ALL_METHOD_RETRY));
    }
  }

  /**
   * Sends it.
   *
   * @throws AnswerTooLargeException if the answer is larger than {@link #LARGEST_BODY}
   */
  @Override
  public WebAnswer send(WebRequest request) throws IOException, InterruptedException {
    AtomicReference<@Nullable HttpResponse<byte[]>> response = new AtomicReference<>();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    AtomicReference<HttpResponse.@Nullable ResponseInfo> head = new AtomicReference<>();
    Time.Bell bell = time.bell();
    CompletableFuture<HttpResponse<byte[]>> exchange =
        client.sendAsync(
            httpRequest(request),
            answer -> {
              head.set(answer);
              return new BoundedBody(LARGEST_BODY);
            });
    CompletableFuture<HttpResponse<byte[]>> unused =
        exchange.whenComplete(
            (answer, thrown) -> {
              response.set(answer);
              failure.set(thrown);
              bell.ring();
            });
    // The client's own time-out ends with the header, and a body may dribble for ever.
    boolean answered = false;
    try {
      answered = bell.await(time.deadline(request.timeout()));
    } finally {
      if (!answered) {
        boolean ignored = exchange.cancel(true);
      }
    }
    HttpResponse<byte[]> whole = response.get();
    if (whole != null) {
      return new WebAnswer(whole.statusCode(), whole.headers(), plain(whole));
    }
    HttpResponse.ResponseInfo seen = head.get();
    if (seen != null && Signals.isLimit(seen.statusCode(), seen.headers())) {
      return new WebAnswer(seen.statusCode(), seen.headers(), new byte[0]); // without its body
    }
    if (!answered) {
      throw new HttpTimeoutException(
          "no whole answer from %s within %s"
              .formatted(request.uri().getHost(), seconds(request.timeout())));
    }
    throw thrown(failure.get());
  }

  /** {@code 30 s}, {@code 0.5 s}: times for people. */
  private static String seconds(Duration time) {
    return BigDecimal.valueOf(time.toMillis(), 3).stripTrailingZeros().toPlainString() + " s";
  }

  private static HttpRequest httpRequest(WebRequest request) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(request.uri())
            .method(
                request.method(),
                request.body().length == 0 && !request.method().equals("POST")
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(request.body()));
    boolean encodingGiven = false;
    for (int i = 0; i < request.headers().size(); i += 2) {
      String name = request.headers().get(i);
      builder.header(name, request.headers().get(i + 1));
      encodingGiven |= name.equalsIgnoreCase(ACCEPT_ENCODING);
    }
    if (!encodingGiven) {
      builder.header(ACCEPT_ENCODING, "gzip");
    }
    return builder.build();
  }

  private static byte[] plain(HttpResponse<byte[]> response) throws IOException {
    boolean compressed =
        response.headers().firstValue("Content-Encoding").orElse("").equalsIgnoreCase("gzip");
    // A proxy that refuses a tunnel is an answer for which the JDK reads no body.
    byte[] body = Objects.requireNonNullElse(response.body(), new byte[0]);
    if (!compressed || body.length == 0) {
      return body;
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
      byte[] unpacked = in.readNBytes(LARGEST_BODY + 1);
      if (unpacked.length > LARGEST_BODY) {
        throw new AnswerTooLargeException(LARGEST_BODY);
      }
      return unpacked;
    } catch (ZipException e) {
      throw new IOException("the answer is not the gzip that its header says", e);
    } catch (EOFException e) {
      throw new IOException(BROKE_OFF, e);
    }
  }

  /** What the client threw, which says whether the request may have left. */
  private static IOException thrown(@Nullable Throwable failure) {
    Throwable link = failure;
    while (link != null && !(link instanceof IOException)) {
      link = link.getCause();
    }
    if (!(link instanceof IOException known)) {
      return new IOException("the request failed", failure);
    }
    String words = String.valueOf(known.getMessage());
    // Its class is no other than that of many failures; the cause stays for whoever reads signals.
    return CUT_OFF.stream().anyMatch(words::contains) ? new IOException(BROKE_OFF, known) : known;
  }

  /** Gives up what is under way, and the connections. */
  @Override
  public void close() {
    client.shutdownNow();
  }
}

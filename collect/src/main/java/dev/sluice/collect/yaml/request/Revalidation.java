package dev.sluice.collect.yaml.request;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Requests;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Asks whether a page has changed before it is sent again: many providers do not count the answer
 * that it has not. The last pages are kept in memory, 16 MiB of them at most, and nothing outlives
 * the process. Thread-safe; no lock is held while an answer is awaited.
 */
public final class Revalidation {
  private static final long MOST_BYTES = 16L * 1024 * 1024;

  private final By by;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, WebAnswer> pages = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /** Knows no page yet. */
  public Revalidation(By by) {
    this.by = requireNonNull(by, "by");
  }

  /**
   * Requests that ask first, and give the known page again if it has not changed.
   *
   * @param keepable which pages say all that they say in what their mark is made from
   */
  public Requests over(Requests requests, BiPredicate<URI, WebAnswer> keepable) {
    return new Requests() {
      @Override
      public WebAnswer send(WebRequest request)
          throws ProviderException, IOException, InterruptedException {
        return send(request, answer -> answer);
      }

      @Override
      public <T> T send(WebRequest request, Reading<T> reading)
          throws ProviderException, IOException, InterruptedException {
        if (!request.method().equals("GET")) {
          return requests.send(request, reading);
        }
        String key = request.uri() + " " + request.headers();
        WebAnswer known = known(key);
        return requests.send(
            known == null ? request : asking(request, known),
            answer ->
                reading.of(
                    known != null && answer.status() == 304
                        ? known
                        : kept(key, request.uri(), answer, keepable)));
      }
    };
  }

  private WebRequest asking(WebRequest request, WebAnswer known) {
    List<String> headers = new ArrayList<>(request.headers());
    headers.add(by.condition);
    headers.add(by.mark(known).orElseThrow());
    return new WebRequest(
        request.method(), request.uri(), headers, request.body(), request.timeout());
  }

  private @Nullable WebAnswer known(String key) {
    lock.lock();
    try {
      return pages.get(key);
    } finally {
      lock.unlock();
    }
  }

  private WebAnswer kept(
      String key, URI uri, WebAnswer answer, BiPredicate<URI, WebAnswer> keepable) {
    if (by.mark(answer).isEmpty()
        || answer.body().length > MOST_BYTES / 4
        || !keepable.test(uri, answer)) {
      return answer;
    }
    lock.lock();
    try {
      WebAnswer before = pages.put(key, answer);
      bytes += answer.body().length - (before == null ? 0 : before.body().length);
      while (bytes > MOST_BYTES) {
        Map.Entry<String, WebAnswer> oldest = pages.entrySet().iterator().next();
        bytes -= oldest.getValue().body().length;
        WebAnswer unused = pages.remove(oldest.getKey());
      }
      return answer;
    } finally {
      lock.unlock();
    }
  }

  /** By what a page is known to have changed. */
  public enum By {
    /** Its tag. */
    ETAG("ETag", "If-None-Match"),
    /** Its time. */
    LAST_MODIFIED("Last-Modified", "If-Modified-Since");

    private final String header;
    private final String condition;

    By(String header, String condition) {
      this.header = header;
      this.condition = condition;
    }

    private Optional<String> mark(WebAnswer answer) {
      return answer.headers().firstValue(header);
    }
  }
}

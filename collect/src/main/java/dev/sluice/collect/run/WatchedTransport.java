package dev.sluice.collect.run;

import dev.sluice.collect.connector.PageForPeople;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/** A run's way to its provider, which remembers what people want to know of it. Thread-safe. */
final class WatchedTransport implements Transport {
  private final Transport transport;
  private final Time time;
  private final Map<Object, Long> sent = new ConcurrentHashMap<>();
  private final AtomicReference<Optional<String>> page = new AtomicReference<>(Optional.empty());

  WatchedTransport(Transport transport, Time time) {
    this.transport = transport;
    this.time = time;
  }

  @Override
  public WebAnswer send(WebRequest request) throws IOException, InterruptedException {
    Object exchange = new Object();
    sent.put(exchange, time.nanos());
    try {
      WebAnswer answer = transport.send(request);
      page.set(PageForPeople.in(request, answer));
      return answer;
    } catch (IOException e) {
      page.set(Optional.empty());
      throw e;
    } finally {
      sent.remove(exchange);
    }
  }

  /** How long the oldest request that has no answer yet is under way; zero if none is. */
  Duration unanswered() {
    long now = time.nanos();
    long longest = sent.values().stream().mapToLong(begun -> now - begun).max().orElse(0);
    return Duration.ofNanos(Math.max(0, longest));
  }

  /** What is said of the last answer if it was a page for people; only once. */
  Optional<String> takePage() {
    return page.getAndSet(Optional.empty());
  }
}

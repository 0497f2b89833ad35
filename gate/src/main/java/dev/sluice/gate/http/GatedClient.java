package dev.sluice.gate.http;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Call;
import dev.sluice.gate.CallOptions;
import dev.sluice.gate.Gate;
import dev.sluice.gate.Permit;
import dev.sluice.gate.Run;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An {@link HttpClient} behind a gate: every request waits for its permit, is settled with what its
 * answer means, and is tried again as the table of signals says.
 *
 * <p>What a client does by itself passes no gate and is not counted, so one that follows redirects
 * is refused. The JDK's client also connects once more if a connection cannot be made; {@code
 * -Djdk.httpclient.disableRetryConnect=true} switches that off.
 *
 * <p>Requests whose method is idempotent (GET, HEAD, OPTIONS, PUT, DELETE) are repeated after an
 * unknown outcome; others only if the options say that a repeat is harmless. The body of an answer
 * that is followed by another attempt is closed if it is a stream or a publisher. Hints that cannot
 * be read are logged once for every lane. Thread-safe; the client and the gate stay the caller's to
 * close.
 */
public final class GatedClient {
  private static final Logger log = LoggerFactory.getLogger(GatedClient.class);
  private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "OPTIONS", "PUT", "DELETE");

  private final HttpClient client;
  private final Gate gate;
  private final Signals signals;
  private final CallOptions options;
  private final Predicate<HttpRequest> renewal;
  final OddHints odd = new OddHints();

  private GatedClient(
      HttpClient client,
      Gate gate,
      Signals signals,
      CallOptions options,
      Predicate<HttpRequest> renewal) {
    if (requireNonNull(client, "client").followRedirects() != HttpClient.Redirect.NEVER) {
      throw new IllegalArgumentException(
          "the client follows redirects by itself, which would pass no gate; build it with"
              + " followRedirects(Redirect.NEVER), which is the default");
    }
    this.client = client;
    this.gate = requireNonNull(gate, "gate");
    this.signals = requireNonNull(signals, "signals");
    requireNonNull(options, "options");
    Function<Exception, Signal> failed = options.failures().orElse(Signals::failed);
    this.options =
        options.withFailures(
            failure ->
                failure instanceof LimitedException limited
                    ? limited.signal
                    : failed.apply(failure));
    this.renewal = requireNonNull(renewal, "renewal");
  }

  /** A client behind a gate, with the built-in reading of answers. */
  public static GatedClient over(HttpClient client, Gate gate) {
    return new GatedClient(
        client, gate, Signals.builder().build(), CallOptions.DEFAULTS, refused -> false);
  }

  /** The same client, reading answers in another way. */
  public GatedClient withSignals(Signals other) {
    return new GatedClient(client, gate, other, options, renewal);
  }

  /** The same client with other options; exceptions are read as HTTP's if these do not say how. */
  public GatedClient withOptions(CallOptions other) {
    return new GatedClient(client, gate, signals, other, renewal);
  }

  /**
   * The same client for credentials that can be renewed: a request that was refused for those it
   * carried (401) is made and sent once more.
   *
   * @param other forgets the credentials of the request that it is given, if they are still in use;
   *     says whether the next request would carry others
   */
  public GatedClient withRenewal(Predicate<HttpRequest> other) {
    return new GatedClient(client, gate, signals, options, other);
  }

  /** Sends a request on nobody's account; see {@link #send(Run, HttpRequest, BodyHandler)}. */
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    return send(Run.unbounded(), request, handler);
  }

  /**
   * Sends a request on a run's account.
   *
   * @return the last answer: whatever its status, it is not tried again
   * @throws IOException if no answer came and attempts are out
   * @throws dev.sluice.gate.RefusedException if the gate refuses
   */
  public <T> HttpResponse<T> send(Run run, HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    return gate.call(run, optionsFor(request), call(permit -> request, handler));
  }

  /**
   * Sends a request that is made for the lane it goes through: for a pool whose lanes have
   * credentials of their own. It is repeated after an unknown outcome only if the options say so.
   */
  public <T> HttpResponse<T> send(
      Run run, Function<Permit, HttpRequest> request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    return gate.call(run, options, call(request, handler));
  }

  /** Sends a request on nobody's account; see {@link #sendAsync(Run, HttpRequest, BodyHandler)}. */
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    return sendAsync(Run.unbounded(), request, handler);
  }

  /**
   * The same as {@link #send(Run, HttpRequest, BodyHandler)} without blocking: sends on a task of
   * its own. Cancelling the future gives up the wait or the request, whichever it is at, and leaves
   * nothing behind.
   */
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      Run run, HttpRequest request, BodyHandler<T> handler) {
    return gate.callAsync(run, optionsFor(request), call(permit -> request, handler));
  }

  /** The same for a request that is made for the lane it goes through. */
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      Run run, Function<Permit, HttpRequest> request, BodyHandler<T> handler) {
    return gate.callAsync(run, options, call(request, handler));
  }

  private CallOptions optionsFor(HttpRequest request) {
    return IDEMPOTENT.contains(requireNonNull(request, "request").method())
        ? options.repeatable()
        : options;
  }

  private <T> Call<HttpResponse<T>, IOException> call(
      Function<Permit, HttpRequest> request, BodyHandler<T> handler) {
    return new Exchange<>(requireNonNull(request, "request"), requireNonNull(handler, "handler"));
  }

  /** An answer without a whole body, whose header told of a limit. */
  private static final class LimitedException extends IOException {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // never leaves the process
    private final Signal signal;

    LimitedException(IOException failure, Signal signal) {
      super(failure.getMessage(), failure);
      this.signal = signal;
    }
  }

  private final class Exchange<T> implements Call<HttpResponse<T>, IOException> {
    private final Function<Permit, HttpRequest> maker;
    private final BodyHandler<T> handler;
    private @Nullable HttpRequest request;

    Exchange(Function<Permit, HttpRequest> maker, BodyHandler<T> handler) {
      this.maker = maker;
      this.handler = handler;
    }

    @Override
    public Reply<HttpResponse<T>> send(Permit permit) throws IOException, InterruptedException {
      request = maker.apply(permit);
      AtomicReference<HttpResponse.@Nullable ResponseInfo> head = new AtomicReference<>();
      HttpResponse<T> response;
      try {
        response =
            client.send(
                request,
                info -> {
                  head.set(info);
                  return handler.apply(info);
                });
      } catch (IOException e) {
        throw limited(e, head.get());
      }
      Reading reading = signals.read(Answer.of(response, permit.sentAt(), gate.time()));
      odd.report(permit.lane(), reading.flags());
      return new Reply<>(response, reading.signal()).reaching(reading.reach());
    }

    /** A body that breaks off takes nothing back of what the header said about limits. */
    private IOException limited(IOException failure, HttpResponse.@Nullable ResponseInfo head) {
      if (head == null || !Signals.isLimit(head.statusCode(), head.headers())) {
        return failure;
      }
      Answer answer = Answer.of(head.statusCode(), head.headers().map(), gate.time().instant());
      return new LimitedException(failure, signals.read(answer).signal());
    }

    @Override
    public boolean renew() {
      return renewal.test(requireNonNull(request, "only what was sent is refused"));
    }

    @Override
    public void discard(HttpResponse<T> response) {
      switch (response.body()) {
        case AutoCloseable stream -> close(stream);
        case Flow.Publisher<?> publisher -> publisher.subscribe(new Unread());
        case null, default -> {}
      }
    }

    private static void close(AutoCloseable stream) {
      try {
        stream.close();
      } catch (Exception e) { // of no meaning for whoever waits for another answer
        log.debug("an answer that nobody reads cannot be closed", e);
      }
    }
  }

  /** Lets a publisher know that nobody reads what it has. */
  private static final class Unread implements Flow.Subscriber<@Nullable Object> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.cancel();
    }

    @Override
    public void onNext(@Nullable Object item) {}

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onComplete() {}
  }
}

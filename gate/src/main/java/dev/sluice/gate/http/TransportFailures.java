package dev.sluice.gate.http;

import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.Signal.Transient;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * What an exception instead of an answer means: above all, whether the request may have arrived.
 * The JDK's client repeats its exceptions as each other's causes, so the whole chain is looked at.
 */
final class TransportFailures {
  private static final int LONGEST_CHAIN = 16;

  /** By then a stream of a connection that has too many may have ended. */
  private static final Duration STREAM_WAIT = Duration.ofMillis(100);

  private TransportFailures() {}

  static Signal signal(Throwable failure) {
    List<Throwable> chain = chain(failure);
    if (chain.stream().anyMatch(TransportFailures::cancelled)) {
      return Signal.CANCELLED;
    }
    if (chain.stream().anyMatch(TransportFailures::tooManyStreams)) {
      return Signal.tooManyStreams(STREAM_WAIT);
    }
    Transient.Kind kind;
    if (chain.stream().anyMatch(TransportFailures::notSent)) {
      kind = Transient.Kind.NOT_SENT;
    } else if (chain.stream().anyMatch(TransportFailures::bodyCutOff)) {
      kind = Transient.Kind.BODY_CUT_OFF;
    } else if (chain.stream().anyMatch(TransportFailures::lost)) {
      kind = Transient.Kind.UNKNOWN_OUTCOME;
    } else if (chain.stream().anyMatch(IOException.class::isInstance)) {
      kind = Transient.Kind.TRANSPORT;
    } else {
      kind = Transient.Kind.UNKNOWN_OUTCOME;
    }
    return Signal.transientFailure(kind);
  }

  private static List<Throwable> chain(Throwable failure) {
    List<Throwable> chain = new ArrayList<>();
    Throwable link = failure;
    // Bounded, because causes can be made to go in circles.
    while (link != null && chain.size() < LONGEST_CHAIN) {
      chain.add(link);
      link = link.getCause();
    }
    return chain;
  }

  /** Whoever made the call gave it up; a timer that ran out is no such thing. */
  private static boolean cancelled(Throwable failure) {
    return failure instanceof InterruptedException
        || failure instanceof CancellationException
        || failure instanceof ClosedByInterruptException
        || (failure instanceof InterruptedIOException
            && !(failure instanceof SocketTimeoutException));
  }

  /** The JDK's client has no exception of its own for a connection without a free HTTP/2 stream. */
  private static boolean tooManyStreams(Throwable failure) {
    return failure instanceof IOException && says(failure, "too many concurrent streams");
  }

  /** No connection, or none that was trusted: there was nothing to send the request on. */
  private static boolean notSent(Throwable failure) {
    return failure instanceof HttpConnectTimeoutException
        || failure instanceof ConnectException
        || failure instanceof UnknownHostException
        || failure instanceof NoRouteToHostException
        || failure instanceof UnresolvedAddressException
        || failure instanceof SSLHandshakeException
        || failure instanceof SSLPeerUnverifiedException;
  }

  /**
   * Whether the answer's head was read and its body was not. The JDK's client has no exception for
   * it, but says how the body was framed.
   */
  private static boolean bodyCutOff(Throwable failure) {
    return failure instanceof IOException
        && (says(failure, "fixed content-length") || says(failure, "chunked transfer encoding"));
  }

  private static boolean lost(Throwable failure) {
    return failure instanceof HttpTimeoutException
        || failure instanceof SocketTimeoutException
        || failure instanceof SocketException
        || failure instanceof EOFException
        || failure instanceof ClosedChannelException
        || (failure instanceof IOException && says(failure, "connection reset"));
  }

  private static boolean says(Throwable failure, String words) {
    @Nullable String message = failure.getMessage();
    return message != null && message.toLowerCase(Locale.ROOT).contains(words);
  }
}

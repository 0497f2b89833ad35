package dev.sluice.gate.http;

import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.Signal.Transient;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * What an exception instead of an answer means: above all, whether the request may have arrived.
 */
final class TransportFailures {
  private TransportFailures() {}

  static Signal signal(Throwable failure) {
    return Signal.transientFailure(kind(unwrapped(failure)));
  }

  private static Transient.Kind kind(Throwable failure) {
    if (failure instanceof HttpConnectTimeoutException
        || failure instanceof ConnectException
        || failure instanceof UnknownHostException
        || failure instanceof NoRouteToHostException
        || failure instanceof UnresolvedAddressException
        || failure instanceof SSLHandshakeException
        || failure instanceof SSLPeerUnverifiedException) {
      return Transient.Kind.NOT_SENT;
    }
    if (failure instanceof IOException && bodyBegan(failure)) {
      return Transient.Kind.BODY_CUT_OFF;
    }
    boolean lost =
        failure instanceof HttpTimeoutException
            || failure instanceof SocketTimeoutException
            || failure instanceof SocketException
            || failure instanceof EOFException
            || failure instanceof ClosedChannelException
            || failure.getCause() instanceof EOFException
            || !(failure instanceof IOException)
            || says(failure, "connection reset");
    return lost ? Transient.Kind.UNKNOWN_OUTCOME : Transient.Kind.TRANSPORT;
  }

  /**
   * Whether the answer's head was read and its body was not. The JDK's client has no exception for
   * it, but says how the body was framed.
   */
  private static boolean bodyBegan(Throwable failure) {
    return says(failure, "fixed content-length") || says(failure, "chunked transfer encoding");
  }

  private static boolean says(Throwable failure, String words) {
    @Nullable String message = failure.getMessage();
    return message != null && message.toLowerCase(Locale.ROOT).contains(words);
  }

  private static Throwable unwrapped(Throwable failure) {
    Throwable inner = failure;
    // Bounded, because causes can be made to go in circles.
    for (int i = 0; i < 8; i++) {
      Throwable cause = inner.getCause();
      boolean wrapper =
          inner instanceof CompletionException
              || inner instanceof ExecutionException
              || inner instanceof UncheckedIOException;
      if (!wrapper || cause == null) {
        break;
      }
      inner = cause;
    }
    return inner;
  }
}

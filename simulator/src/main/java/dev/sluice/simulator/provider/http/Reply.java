package dev.sluice.simulator.provider.http;

import dev.sluice.simulator.provider.Header;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An answer of a provider.
 *
 * @param status the HTTP status
 * @param headers in the order in which they are sent; a name may come twice
 * @param body empty if there is none
 * @param delivery how it reaches the client
 */
public record Reply(int status, List<Header> headers, String body, Delivery delivery) {
  public Reply {
    headers = List.copyOf(headers);
  }

  static Reply json(int status, String body) {
    return new Reply(
        status, List.of(new Header("Content-Type", "application/json")), body, Delivery.WHOLE);
  }

  Reply with(Header header) {
    List<Header> more = new ArrayList<>(headers);
    more.add(header);
    return new Reply(status, more, body, delivery);
  }

  Reply with(List<Header> first) {
    List<Header> more = new ArrayList<>(first);
    more.addAll(headers);
    return new Reply(status, more, body, delivery);
  }

  Reply with(Delivery way) {
    return new Reply(status, headers, body, way);
  }

  /** The first value of a header, if there is one; its name in any case. */
  public Optional<String> header(String name) {
    return headers.stream()
        .filter(header -> header.name().equalsIgnoreCase(name))
        .map(Header::value)
        .findFirst();
  }

  /** How an answer reaches the client. */
  public enum Delivery {
    /** All of it. */
    WHOLE,
    /** Not at all: the connection is closed. */
    DROPPED,
    /** Not at all: nothing comes, and the connection stays open. */
    LOST,
    /** Half of its body, and then the connection is closed. */
    TRUNCATED,
    /** All of it, over five seconds. */
    TRICKLED
  }
}

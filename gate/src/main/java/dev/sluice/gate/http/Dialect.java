package dev.sluice.gate.http;

import java.util.ArrayList;
import java.util.List;

/**
 * Knows where a service says something about its limits. Finds text; the rules read it.
 *
 * <p>Must be thread-safe, and say nothing (an empty list) about answers without its headers. One
 * that throws is taken to have found something unreadable: the answer still counts.
 */
@FunctionalInterface
public interface Dialect {

  /** What the answer says about limits; empty if nothing. */
  List<Statement> read(Answer answer);

  /**
   * What every {@link Signals} reads unless a declared dialect has spoken: the IETF fields in their
   * four generations, {@code X-RateLimit-*} and {@code X-Rate-Limit-*}, {@code Retry-After}, {@code
   * retry-after-ms} and {@code x-amz-retry-after}.
   */
  static Dialect builtIn() {
    return BuiltIn.QUOTA.and(BuiltIn.WAITS);
  }

  /**
   * Headers that follow the usual pattern after a service's own prefix: {@code
   * prefixed("X-HubSpot-RateLimit-")} or {@code prefixed("anthropic-ratelimit-")}.
   */
  static Dialect prefixed(String prefix) {
    return new PrefixedDialect(prefix);
  }

  /** This dialect and another; both are read. */
  default Dialect and(Dialect other) {
    return answer -> {
      List<Statement> both = new ArrayList<>(read(answer));
      both.addAll(other.read(answer));
      return both;
    };
  }
}

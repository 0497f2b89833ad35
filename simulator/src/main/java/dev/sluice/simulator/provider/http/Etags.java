package dev.sluice.simulator.provider.http;

import dev.sluice.simulator.provider.Header;
import java.util.List;

/** Tells clients that what they have is still good. */
final class Etags {
  private Etags() {}

  /** The same reply with its tag; 304 without a body if the client has it. */
  static Reply revalidated(Call call, Reply reply) {
    if (reply.status() != 200) {
      return reply;
    }
    String tag = "\"" + Long.toHexString(hash(reply.body())) + "\"";
    Reply tagged = reply.with(new Header("ETag", tag));
    boolean known =
        call.header("If-None-Match")
            .map(tags -> tags.strip().equals("*") || List.of(tags.split("\\s*,\\s*")).contains(tag))
            .orElse(false);
    return known ? new Reply(304, tagged.headers(), "", Reply.Delivery.WHOLE) : tagged;
  }

  /** FNV-1a: equal bodies have equal tags, and others hardly ever. */
  private static long hash(String body) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < body.length(); i++) {
      hash = (hash ^ body.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }
}

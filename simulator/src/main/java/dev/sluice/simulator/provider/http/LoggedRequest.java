package dev.sluice.simulator.provider.http;

import dev.sluice.simulator.provider.Verdict;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request that came to a provider, without anything that could identify a record or a secret.
 *
 * @param at when it came
 * @param path what kind of thing it asked for
 * @param account whose it was, counted from 0; -1 if nobody's
 * @param verdict what the account's limit said to it; null if it did not come so far
 * @param status what the answer said
 */
public record LoggedRequest(
    Instant at, PathClass path, int account, Verdict.@Nullable Kind verdict, int status) {

  /** What kind of thing a request asks for. */
  public enum PathClass {
    /** A list of items. */
    LIST,
    /** One item. */
    DETAIL,
    /** The comments of one item. */
    COMMENTS,
    /** An access token. */
    TOKEN,
    /** Something else, or something that is not there. */
    OTHER
  }
}

package dev.sluice.dataverse.signin;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * What a credential was exchanged for. Immutable; prints nothing of itself.
 *
 * @param text what requests carry
 * @param renewAt from when on a new one should be got, in the time's nanoseconds
 * @param expiresAt when it is refused, in the time's nanoseconds
 * @param refresh what gets the next one without asking anybody; null for none
 */
record Token(String text, long renewAt, long expiresAt, @Nullable String refresh) {
  Token {
    requireNonNull(text, "text");
  }

  @Override
  public String toString() {
    return "token";
  }
}

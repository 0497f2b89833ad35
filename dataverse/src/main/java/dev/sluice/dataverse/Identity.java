package dev.sluice.dataverse;

import static java.util.Objects.requireNonNull;

import dev.sluice.dataverse.signin.Credential;

/**
 * An application user that sends requests: what it is called here, and how it signs in. Immutable;
 * prints no secret.
 *
 * @param name its name in logs, statistics and events, and that of its lane unless that is pinned;
 *     not blank
 * @param credential how it signs in
 */
public record Identity(String name, Credential credential) {
  public Identity {
    requireNonNull(credential, "credential");
    if (name.isBlank()) {
      throw new IllegalArgumentException(
          "an identity's name is blank, but must say whom logs and statistics speak of");
    }
  }
}

/**
 * Proof of who asks, as a connector file declares it: {@link dev.sluice.collect.yaml.auth.AuthRule}
 * becomes a {@link dev.sluice.collect.yaml.auth.Credential} once it is configured. Nothing here
 * prints a secret.
 */
@NullMarked
package dev.sluice.collect.yaml.auth;

import org.jspecify.annotations.NullMarked;

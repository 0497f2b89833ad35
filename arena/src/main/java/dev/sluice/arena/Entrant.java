package dev.sluice.arena;

import dev.sluice.arena.bout.Contender;
import dev.sluice.arena.contender.Origin;
import java.util.Optional;

/**
 * Somebody who takes part in a league.
 *
 * @param name its stable name on the wire: lower case, with dashes
 * @param description one line for the report
 * @param peer where a peer's decisions come from; empty for a policy of this project
 * @param factory makes a client that has seen nothing yet
 * @param <S> the league's scenarios
 */
public record Entrant<S>(
    String name, String description, Optional<Origin> peer, Factory<S> factory) {

  /** Makes clients. Called by several tasks at once. */
  @FunctionalInterface
  public interface Factory<S> {
    /** One for this scenario that has seen nothing yet; equal seeds give equal chances. */
    Contender contender(S scenario, long seed);
  }

  /** A policy of this project. */
  public static <S> Entrant<S> ours(String name, String description, Factory<S> factory) {
    return new Entrant<>(name, description, Optional.empty(), factory);
  }

  /** Whether it is a policy of this project. */
  public boolean isOurs() {
    return peer.isEmpty();
  }

  /** As it stands in reports: {@code ours}, or the peer's origin. */
  public String origin() {
    return peer.map(Origin::wireName).orElse("ours");
  }
}

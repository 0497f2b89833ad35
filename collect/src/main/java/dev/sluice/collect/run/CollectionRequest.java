package dev.sluice.collect.run;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.connector.Connector;
import dev.sluice.runs.run.Envelope;
import java.time.Duration;
import java.util.Set;

/**
 * What a run collects, and within which limits. Immutable.
 *
 * @param name the collection, as its user calls it
 * @param connector what is read
 * @param envelope what this run may spend; the next one goes on
 * @param inlineWait the longest hold of the provider that is waited for; beyond it, the run ends as
 *     deferred, and holds nothing while the provider rests
 * @param streams the list streams to read; empty for all
 * @param force whether a cooldown is overridden
 */
public record CollectionRequest(
    String name,
    Connector connector,
    Envelope envelope,
    Duration inlineWait,
    Set<String> streams,
    boolean force) {
  /** Two minutes. */
  public static final Duration INLINE_WAIT = Duration.ofMinutes(2);

  public CollectionRequest {
    requireNonNull(name, "name");
    requireNonNull(connector, "connector");
    requireNonNull(envelope, "envelope");
    if (inlineWait.isNegative()) {
      throw new IllegalArgumentException(
          "inlineWait is %s, but must be zero or more (the longest hold that is waited for)"
              .formatted(inlineWait));
    }
    streams = Set.copyOf(streams);
  }

  /** All streams, without limits. */
  public static CollectionRequest of(String name, Connector connector) {
    return new CollectionRequest(name, connector, Envelope.UNBOUNDED, INLINE_WAIT, Set.of(), false);
  }

  /** The same within other limits. */
  public CollectionRequest withEnvelope(Envelope other) {
    return new CollectionRequest(name, connector, other, inlineWait, streams, force);
  }

  /** The same with another longest wait. */
  public CollectionRequest withInlineWait(Duration other) {
    return new CollectionRequest(name, connector, envelope, other, streams, force);
  }

  /** The same for these list streams only. */
  public CollectionRequest withStreams(Set<String> other) {
    return new CollectionRequest(name, connector, envelope, inlineWait, other, force);
  }

  /** The same, whether or not the provider is being left alone. */
  public CollectionRequest withForce(boolean other) {
    return new CollectionRequest(name, connector, envelope, inlineWait, streams, other);
  }
}

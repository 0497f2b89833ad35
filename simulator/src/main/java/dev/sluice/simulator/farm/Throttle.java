package dev.sluice.simulator.farm;

import java.time.Duration;

/**
 * A refusal by service protection.
 *
 * @param facet what was exceeded
 * @param retryAfter how long to stay away, in whole seconds
 */
public record Throttle(Facet facet, Duration retryAfter) {}

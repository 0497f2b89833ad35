/**
 * Collection runs from providers that say little about their limits: connectors, sinks, and the run
 * that moves records from one to the other.
 */
@NullMarked
package dev.sluice.collect;

import org.jspecify.annotations.NullMarked;

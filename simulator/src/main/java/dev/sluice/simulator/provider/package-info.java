/**
 * Providers that say little about their limits, and sometimes lie. {@link
 * dev.sluice.simulator.provider.OpaqueService} is the model of one account at one: it admits,
 * refuses, slows down and suspends, on given time. The same model serves over HTTP and in process.
 */
@NullMarked
package dev.sluice.simulator.provider;

import org.jspecify.annotations.NullMarked;

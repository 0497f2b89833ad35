/**
 * A simulated provider as its clients see it: a {@link dev.sluice.simulator.provider.http.Provider}
 * answers calls about a catalogue of items, through accounts that push back; in process, in real or
 * simulated time, or over HTTP with a {@link dev.sluice.simulator.provider.http.ProviderServer}. A
 * control address shows and changes it while it runs.
 */
@NullMarked
package dev.sluice.simulator.provider.http;

import org.jspecify.annotations.NullMarked;

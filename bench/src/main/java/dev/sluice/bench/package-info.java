/**
 * What a permit costs: each {@link dev.sluice.bench.PeerBenchmark} measures the same step with
 * Sluice and with its peers. {@link dev.sluice.bench.SideBySide} runs them on 1, 2 and 8 threads
 * and prints a table; {@link dev.sluice.bench.ManyWaiters} shows a gate before a million callers,
 * {@link dev.sluice.bench.ArenaSpeed} how fast the arena plays, {@link dev.sluice.bench.LoadSpeed}
 * how fast records are read. {@link dev.sluice.bench.CollectBesideBareLoop}, {@link
 * dev.sluice.bench.ManyGaps} and {@link dev.sluice.bench.ManyCollections} measure collections.
 * {@link dev.sluice.bench.FirstMinute} runs the README's example against a limiter over HTTP.
 */
@NullMarked
package dev.sluice.bench;

import org.jspecify.annotations.NullMarked;

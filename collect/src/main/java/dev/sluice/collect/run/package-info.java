/**
 * Collection runs: {@link dev.sluice.collect.run.Collector} moves the tracks of a collection
 * forward, slice by slice, and ends with an honest outcome.
 */
@NullMarked
package dev.sluice.collect.run;

import org.jspecify.annotations.NullMarked;

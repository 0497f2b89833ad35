/**
 * Where collected records go. A {@link dev.sluice.collect.sink.Sink} makes a slice durable before
 * its bookmark moves, and forgets what was written of a slice that is given up.
 */
@NullMarked
package dev.sluice.collect.sink;

import org.jspecify.annotations.NullMarked;

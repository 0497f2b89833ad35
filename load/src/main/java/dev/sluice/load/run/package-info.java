/**
 * The resumable load: a run that writes. {@link dev.sluice.load.run.Load} reads an input, sends its
 * records through a bulk executor, and writes down what was sent before it is sent, so that the
 * same command goes on where a killed one stopped.
 */
@NullMarked
package dev.sluice.load.run;

import org.jspecify.annotations.NullMarked;

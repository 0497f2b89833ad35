/**
 * A simulated Dataverse environment: {@link dev.sluice.simulator.dataverse.Environment} answers
 * what the real one answers, refuses what it refuses, takes the time that it takes, and breaks when
 * it is told to. The same object is called directly in simulated time, and over HTTP in real time.
 * Under {@code /simulator/} it tells the truth about itself.
 */
@NullMarked
package dev.sluice.simulator.dataverse;

import org.jspecify.annotations.NullMarked;

/**
 * The web servers of a simulated Dataverse environment: a {@link dev.sluice.simulator.farm.Farm}
 * decides which server answers and for how long, and each {@link
 * dev.sluice.simulator.farm.Account}, one user on one server, counts what service protection counts
 * and refuses what it refuses. One model, used over HTTP and in simulated time alike.
 */
@NullMarked
package dev.sluice.simulator.farm;

import org.jspecify.annotations.NullMarked;

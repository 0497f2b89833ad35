/**
 * The services that contenders meet: {@link dev.sluice.arena.world.DataverseWorld} with documented
 * limits and an unknown number of servers, and opaque providers of which nothing is known. A
 * scenario is a service and its parameters, chosen by hand or drawn at random from a seed.
 */
@NullMarked
package dev.sluice.arena.world;

import org.jspecify.annotations.NullMarked;

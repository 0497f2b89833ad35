/**
 * Which policy gets closest to the quota, and at what price? Policies and peers run against
 * simulated services in simulated time, reproducible to the last digit.
 */
@NullMarked
package dev.sluice.arena;

import org.jspecify.annotations.NullMarked;

/**
 * Which policy gets closest to the quota, and at what price? A {@link dev.sluice.arena.League} is
 * one kind of service with its scenarios, entrants, oracle and goals; an {@link
 * dev.sluice.arena.Arena} plays a {@link dev.sluice.arena.Selection} of leagues on all cores, in
 * simulated time and reproducible to the last digit; {@link dev.sluice.arena.Results} keeps what
 * came of it. Reports are written by {@code dev.sluice.arena.report}.
 */
@NullMarked
package dev.sluice.arena;

import org.jspecify.annotations.NullMarked;

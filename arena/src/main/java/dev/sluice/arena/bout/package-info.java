/**
 * One client against one service: a {@link dev.sluice.arena.bout.Bout} plays a {@link
 * dev.sluice.arena.bout.Contender}, which decides what is sent when, against a {@link
 * dev.sluice.arena.bout.World}, which answers, event by event in simulated time, until the {@link
 * dev.sluice.arena.bout.Job} is done or its time is over. The {@link dev.sluice.arena.bout.Score}
 * says what came of it.
 */
@NullMarked
package dev.sluice.arena.bout;

import org.jspecify.annotations.NullMarked;

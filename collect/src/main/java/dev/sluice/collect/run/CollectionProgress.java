package dev.sluice.collect.run;

import java.time.Duration;

/**
 * Where a run stands. Immutable.
 *
 * @param at what it works on; empty at first
 * @param slices how many are committed
 * @param records how many are durable
 * @param requests how many attempts were made
 * @param gaps how many details were found missing
 * @param recovered how many were got that an earlier run had missed
 * @param rests how long nothing is sent because of the pace, or because too much was refused
 *     lately; zero if something may be sent
 * @param unanswered how long the oldest request that is under way has been; zero if none is
 */
public record CollectionProgress(
    String at,
    long slices,
    long records,
    long requests,
    long gaps,
    long recovered,
    Duration rests,
    Duration unanswered) {}

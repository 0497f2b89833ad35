package dev.sluice.collect.run;

/**
 * Where a run stands. Immutable.
 *
 * @param at what it works on; empty at first
 * @param slices how many are committed
 * @param records how many are durable
 * @param requests how many attempts were made
 * @param gaps how many details were found missing
 * @param recovered how many were got that an earlier run had missed
 * @param met what they met, and what they waited for
 */
public record CollectionProgress(
    String at,
    long slices,
    long records,
    long requests,
    long gaps,
    long recovered,
    RequestCounts met) {}

package dev.sluice.arena.bout;

/**
 * A kind of request.
 *
 * @param name as a policy is told
 * @param base nanoseconds that it takes on an idle service
 */
public record Operation(String name, long base) {}

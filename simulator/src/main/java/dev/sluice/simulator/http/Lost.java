package dev.sluice.simulator.http;

/**
 * No answer: the connection breaks. Whether the work was done, the client cannot know; the reason
 * is for the simulator's own records.
 *
 * @param reason why it broke
 */
public record Lost(String reason) implements Reply {}

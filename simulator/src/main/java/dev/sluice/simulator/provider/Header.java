package dev.sluice.simulator.provider;

/**
 * A header of an answer.
 *
 * @param name as it is sent
 * @param value as it is sent
 */
public record Header(String name, String value) {}

package dev.sluice.runs.journal;

/**
 * Rows that were, or may have been, sent together and do not have their outcome yet.
 *
 * @param id its number in its journal
 * @param rows its rows, at least one
 */
public record Composition(long id, RowSet rows) {}

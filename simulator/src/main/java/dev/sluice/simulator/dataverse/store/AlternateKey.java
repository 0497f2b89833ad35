package dev.sluice.simulator.dataverse.store;

import java.util.List;

/**
 * Columns that together name one row.
 *
 * @param name its logical name
 * @param columns positions of its columns in the table
 * @param columnNames their names, in the same order
 */
public record AlternateKey(String name, List<Integer> columns, List<String> columnNames) {}

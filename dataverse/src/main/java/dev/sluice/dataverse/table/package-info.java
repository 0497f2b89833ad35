/**
 * Tables as the service describes them: a {@link dev.sluice.dataverse.table.TableReader} asks for a
 * {@link dev.sluice.dataverse.table.Table} with its {@link dev.sluice.dataverse.table.Column}s and
 * keys.
 */
@NullMarked
package dev.sluice.dataverse.table;

import org.jspecify.annotations.NullMarked;

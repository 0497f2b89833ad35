/**
 * The language of the Web API: addresses ({@link
 * dev.sluice.simulator.dataverse.odata.ResourceAddress}), query options ({@link
 * dev.sluice.simulator.dataverse.odata.Query}, {@link
 * dev.sluice.simulator.dataverse.odata.Filter}), rows as JSON ({@link
 * dev.sluice.simulator.dataverse.odata.RowReader}, {@link
 * dev.sluice.simulator.dataverse.odata.RowWriter}) and batches ({@link
 * dev.sluice.simulator.dataverse.odata.BatchReader}). It reads and writes; it does nothing.
 */
@NullMarked
package dev.sluice.simulator.dataverse.odata;

import org.jspecify.annotations.NullMarked;

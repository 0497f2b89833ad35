/**
 * The tables of a simulated environment and what is in them: a {@link
 * dev.sluice.simulator.dataverse.store.Schema} says what there can be, a {@link
 * dev.sluice.simulator.dataverse.store.Store} holds the rows, and a {@link
 * dev.sluice.simulator.dataverse.store.Transaction} changes them, all or nothing. Nothing here
 * locks: whoever owns the store lets one change it at a time. Rows may be read meanwhile.
 */
@NullMarked
package dev.sluice.simulator.dataverse.store;

import org.jspecify.annotations.NullMarked;

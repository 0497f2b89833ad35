/**
 * One database, an embedded file or a PostgreSQL server's, and transactions on it. A {@link
 * dev.sluice.runs.store.Store} runs {@linkplain dev.sluice.runs.store.Work work} in a {@link
 * dev.sluice.runs.store.Transaction}; what goes wrong is a {@link
 * dev.sluice.runs.store.StoreException} that says what to do. The tables belong to the packages
 * that use them; their shape, and how it changes, is kept here.
 */
@NullMarked
package dev.sluice.runs.store;

import org.jspecify.annotations.NullMarked;

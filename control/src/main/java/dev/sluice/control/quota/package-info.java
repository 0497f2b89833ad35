/**
 * How fast may a user of a service with documented limits go? A {@link
 * dev.sluice.control.quota.QuotaPolicy} keeps the service's books on its own side, in a {@link
 * dev.sluice.control.quota.Ledger}, and spends what is left: all of it, and no more.
 */
@NullMarked
package dev.sluice.control.quota;

import org.jspecify.annotations.NullMarked;

/**
 * Who may write? A {@link dev.sluice.runs.lease.Lease} belongs to one {@link
 * dev.sluice.runs.lease.Holder} at a time; each new holder gets a higher fencing number, and the
 * store refuses whatever carries an old one. {@link dev.sluice.runs.lease.Leases} hands them out.
 */
@NullMarked
package dev.sluice.runs.lease;

import org.jspecify.annotations.NullMarked;

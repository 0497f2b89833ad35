/**
 * One account at a provider: a {@link dev.sluice.control.lane.Lane} holds what that account's
 * callers share (hold, policy, slots, circuit). It answers and is told; it never waits. {@link
 * dev.sluice.control.lane.LaneOptions} say how one behaves, {@link
 * dev.sluice.control.lane.LaneStatistics} what it did.
 */
@NullMarked
package dev.sluice.control.lane;

import org.jspecify.annotations.NullMarked;

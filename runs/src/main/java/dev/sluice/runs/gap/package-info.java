/**
 * What is known to be missing. A {@link dev.sluice.runs.gap.StreamGap} says where a track stopped
 * and why; a {@link dev.sluice.runs.gap.DetailGap} is one record whose details could not be had
 * yet. Both are written in the transaction that moves the bookmark past them, and both are taken up
 * again without anybody's help. A list's run notes {@link dev.sluice.runs.gap.MissedDetails}, a
 * later one tries {@link dev.sluice.runs.gap.LeasedGaps}, and people look at {@link
 * dev.sluice.runs.gap.DetailGaps}.
 */
@NullMarked
package dev.sluice.runs.gap;

import org.jspecify.annotations.NullMarked;

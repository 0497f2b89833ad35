/**
 * How far collections have come. A {@link dev.sluice.runs.bookmark.Bookmark} moves only in the
 * transaction that also holds what its slice left behind, under the lease of its {@link
 * dev.sluice.runs.bookmark.Track}.
 */
@NullMarked
package dev.sluice.runs.bookmark;

import org.jspecify.annotations.NullMarked;

/**
 * Through which identity? A {@link dev.sluice.control.routing.ThrottleTracker} knows which
 * connections are held back and until when; a {@link dev.sluice.control.routing.SelectionStrategy},
 * one of those that {@link dev.sluice.control.routing.Selection} names, chooses among the lanes
 * that could send now.
 */
@NullMarked
package dev.sluice.control.routing;

import org.jspecify.annotations.NullMarked;

/**
 * How fast may one go where nothing is known? A {@link dev.sluice.control.learning.LearnedPolicy}
 * finds out whether a provider limits a rate or requests at once, and how many, from what it grants
 * between two refusals; it tries more only in small steps. What it learned is a {@link
 * dev.sluice.control.learning.Profile}, with which the next run can start.
 */
@NullMarked
package dev.sluice.control.learning;

import org.jspecify.annotations.NullMarked;

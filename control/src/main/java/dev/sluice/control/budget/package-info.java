/**
 * Does the run go on? A {@link dev.sluice.control.budget.RunBudget} bounds what one run may spend,
 * in attempts and in time. Reaching it is planned: it says nothing about the provider.
 */
@NullMarked
package dev.sluice.control.budget;

import org.jspecify.annotations.NullMarked;

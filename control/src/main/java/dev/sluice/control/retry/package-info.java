/**
 * May I try again? {@link dev.sluice.control.retry.Retries} decides it for one request after each
 * answer; a {@link dev.sluice.control.retry.RetryBudget}, shared by all requests of a run, bounds
 * how many retries there are in total; {@link dev.sluice.control.retry.Backoff} says how long to
 * wait where the provider did not.
 */
@NullMarked
package dev.sluice.control.retry;

import org.jspecify.annotations.NullMarked;

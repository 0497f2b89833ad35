/**
 * How a lane asks <em>how many at once</em> and <em>not before when</em>: a {@link
 * dev.sluice.control.policy.Policy} answers both and is told of every {@link
 * dev.sluice.control.policy.Attempt}'s start and settlement. Its implementations live where their
 * question is answered, in {@code parallelism} and {@code pacing}; those that add to another one
 * extend {@link dev.sluice.control.policy.DelegatingPolicy}.
 */
@NullMarked
package dev.sluice.control.policy;

import org.jspecify.annotations.NullMarked;

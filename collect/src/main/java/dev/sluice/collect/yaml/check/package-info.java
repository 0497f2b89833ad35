/**
 * Offline tests that a connector file brings along: a {@link
 * dev.sluice.collect.yaml.check.CheckRule} scripts a provider's answers, a {@link
 * dev.sluice.collect.yaml.check.ScriptedProvider} gives them to a {@link
 * dev.sluice.collect.yaml.check.CheckedReading}.
 */
@NullMarked
package dev.sluice.collect.yaml.check;

import org.jspecify.annotations.NullMarked;

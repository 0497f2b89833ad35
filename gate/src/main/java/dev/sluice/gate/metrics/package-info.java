/**
 * A gate's figures for Micrometer, an optional dependency: {@link
 * dev.sluice.gate.metrics.GateMetrics} binds them to a registry.
 */
@NullMarked
package dev.sluice.gate.metrics;

import org.jspecify.annotations.NullMarked;

/**
 * The way out: a {@link dev.sluice.gate.wire.Transport} carries one {@link
 * dev.sluice.gate.wire.WebRequest} and brings back its {@link dev.sluice.gate.wire.WebAnswer}, over
 * HTTP or, in tests, in process. It knows nothing of gates: whoever sends has a permit.
 */
@NullMarked
package dev.sluice.gate.wire;

import org.jspecify.annotations.NullMarked;

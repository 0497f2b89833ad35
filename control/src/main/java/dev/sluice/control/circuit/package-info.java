/**
 * Should I call at all? A {@link dev.sluice.control.circuit.CircuitBreaker} watches the answers of
 * one lane, as its {@link dev.sluice.control.circuit.CircuitOptions} say, and is in one {@link
 * dev.sluice.control.circuit.CircuitState} at a time; every change of it is a {@link
 * dev.sluice.control.circuit.CircuitTransition}, a fact that is safe to store and to show.
 */
@NullMarked
package dev.sluice.control.circuit;

import org.jspecify.annotations.NullMarked;

/**
 * Signals from HTTP, one place. {@link dev.sluice.gate.http.Signals} turns an {@link
 * dev.sluice.gate.http.Answer} into a {@link dev.sluice.control.signal.Signal}; a {@link
 * dev.sluice.gate.http.Dialect} finds what a service says about its limits, as unread text in
 * {@link dev.sluice.gate.http.Statement}s, so that numbers, waits and clocks are read under one set
 * of rules and nobody's bad header becomes a negative or unbounded wait.
 */
@NullMarked
package dev.sluice.gate.http;

import org.jspecify.annotations.NullMarked;

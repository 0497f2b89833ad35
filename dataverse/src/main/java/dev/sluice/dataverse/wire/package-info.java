/**
 * What goes over the wire: a {@link dev.sluice.dataverse.wire.Transport} carries one {@link
 * dev.sluice.dataverse.wire.WebRequest} and brings back its {@link
 * dev.sluice.dataverse.wire.WebAnswer}, over HTTP or, in tests, in process.
 */
@NullMarked
package dev.sluice.dataverse.wire;

import org.jspecify.annotations.NullMarked;

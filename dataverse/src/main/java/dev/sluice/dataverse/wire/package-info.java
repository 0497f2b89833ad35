/** What the service wants of whoever talks to it: addresses, ids, time-outs. */
@NullMarked
package dev.sluice.dataverse.wire;

import org.jspecify.annotations.NullMarked;

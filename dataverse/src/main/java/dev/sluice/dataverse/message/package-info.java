/**
 * Messages that carry many records: {@link dev.sluice.dataverse.message.Item}s of one {@link
 * dev.sluice.dataverse.message.Operation} go out together, and a {@link
 * dev.sluice.dataverse.message.Result} says what became of them.
 */
@NullMarked
package dev.sluice.dataverse.message;

import org.jspecify.annotations.NullMarked;

/**
 * Records as lines of JSON in files. A {@link dev.sluice.collect.sink.jsonlines.JsonLinesSink}
 * lengthens one {@code .part} file per stream and writer, and says in the bookmark's mark how much
 * of it is committed; whoever comes next keeps exactly that much.
 */
@NullMarked
package dev.sluice.collect.sink.jsonlines;

import org.jspecify.annotations.NullMarked;

/**
 * Records as Singer messages, for targets that read them from a pipe. A {@link
 * dev.sluice.collect.sink.singer.SingerSink} promises each record at least once: what a target has
 * read cannot be called back.
 */
@NullMarked
package dev.sluice.collect.sink.singer;

import org.jspecify.annotations.NullMarked;

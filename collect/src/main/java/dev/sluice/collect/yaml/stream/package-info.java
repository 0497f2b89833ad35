/**
 * Streams as a connector file declares them: {@link dev.sluice.collect.yaml.stream.StreamReader}
 * reads them, and each knows in which slices it is read. No page number or offset ever becomes a
 * bookmark.
 */
@NullMarked
package dev.sluice.collect.yaml.stream;

import org.jspecify.annotations.NullMarked;

/**
 * A connector file as text: {@link dev.sluice.collect.yaml.document.Node nodes} that know their
 * lines, {@link dev.sluice.collect.yaml.document.Section sections} that are read key by key, and
 * the {@link dev.sluice.collect.yaml.document.Mistakes} found on the way, all of them at once.
 */
@NullMarked
package dev.sluice.collect.yaml.document;

import org.jspecify.annotations.NullMarked;

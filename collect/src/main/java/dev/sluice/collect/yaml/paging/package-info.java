/**
 * How the pages of a list follow each other. {@link dev.sluice.collect.yaml.paging.Pages} say it
 * for a stream, a {@link dev.sluice.collect.yaml.paging.Walk} goes from page to page once, and a
 * {@link dev.sluice.collect.yaml.paging.LoopGuard} notices when it goes in a circle.
 */
@NullMarked
package dev.sluice.collect.yaml.paging;

import org.jspecify.annotations.NullMarked;

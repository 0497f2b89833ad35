/**
 * What a simulated provider has to offer: a {@link dev.sluice.simulator.catalogue.Catalogue} of
 * items with comments, all made from a seed, that appear, change and vanish while somebody reads
 * them. Pure, on given time.
 */
@NullMarked
package dev.sluice.simulator.catalogue;

import org.jspecify.annotations.NullMarked;

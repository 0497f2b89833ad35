/**
 * What happened in a run, for people and for whatever watches over it. A piece of {@link
 * dev.sluice.runs.evidence.Evidence} is of a kind and holds facts from a closed vocabulary, so that
 * no address, id or credential can get in; the {@link dev.sluice.runs.evidence.EvidenceLog} only
 * grows.
 */
@NullMarked
package dev.sluice.runs.evidence;

import org.jspecify.annotations.NullMarked;

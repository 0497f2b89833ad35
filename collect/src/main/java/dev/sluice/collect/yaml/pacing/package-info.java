/**
 * What a connector file says about a provider's limits: how fast it is asked, where its answers
 * tell what is left ({@link dev.sluice.collect.yaml.pacing.QuotaRule}), and what they mean ({@link
 * dev.sluice.collect.yaml.pacing.AnswerRule}) where the usual reading would be wrong.
 */
@NullMarked
package dev.sluice.collect.yaml.pacing;

import org.jspecify.annotations.NullMarked;

/**
 * What a connector is configured with: {@link dev.sluice.collect.yaml.config.ConfigRules} say what
 * there is to configure, and refuse what does not fit. Secrets may be named only where they prove
 * who asks.
 */
@NullMarked
package dev.sluice.collect.yaml.config;

import org.jspecify.annotations.NullMarked;

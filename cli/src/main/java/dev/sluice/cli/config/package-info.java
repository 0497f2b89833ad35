/**
 * What stands in {@code sluice.yaml}: {@link dev.sluice.cli.config.Configuration} finds and reads
 * it, and a {@link dev.sluice.cli.config.ConfigurationException} says of every mistake in which
 * line it stands, what stands there and what was expected. Nothing here ever prints a secret.
 */
@NullMarked
package dev.sluice.cli.config;

import org.jspecify.annotations.NullMarked;

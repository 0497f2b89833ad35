/**
 * What stands in {@code sluice.yaml}: {@link dev.sluice.cli.config.Configuration} finds and reads
 * it with {@link dev.sluice.config.Section sections}. Secrets are fetched when they are needed, and
 * nothing here ever prints one.
 */
@NullMarked
package dev.sluice.cli.config;

import org.jspecify.annotations.NullMarked;

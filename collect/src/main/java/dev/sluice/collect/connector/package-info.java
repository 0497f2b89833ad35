/**
 * What knows a provider. A {@link dev.sluice.collect.connector.Connector} tells which streams there
 * are and reads one slice at a time; it never waits, retries, or keeps anything: that is the run's.
 */
@NullMarked
package dev.sluice.collect.connector;

import org.jspecify.annotations.NullMarked;

/**
 * Providers described in YAML: a {@link dev.sluice.collect.yaml.ConnectorFile} is read and checked
 * once, and bound to a configuration becomes a connector. The words of the file are explained in
 * {@code docs/connectors.md}.
 */
@NullMarked
package dev.sluice.collect.yaml;

import org.jspecify.annotations.NullMarked;

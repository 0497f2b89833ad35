/**
 * What people write in YAML or JSON: connectors, collections, mappings, {@code sluice.yaml}. {@link
 * dev.sluice.config.YamlText} makes {@link dev.sluice.config.Node nodes} of a text, which know
 * their lines; {@link dev.sluice.config.Section sections} are read key by key; and one {@link
 * dev.sluice.config.Reading} notes every mistake, which a {@link
 * dev.sluice.config.ConfigurationException} tells all at once. Nothing here ever prints a secret.
 */
@NullMarked
package dev.sluice.config;

import org.jspecify.annotations.NullMarked;

/**
 * The small texts of a connector file: {@link dev.sluice.collect.yaml.text.Template templates} and
 * {@link dev.sluice.collect.yaml.text.Condition conditions}. Each is read once, with a message for
 * people if it cannot be, and used many times.
 */
@NullMarked
package dev.sluice.collect.yaml.text;

import org.jspecify.annotations.NullMarked;

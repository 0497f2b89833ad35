/**
 * The small texts of a connector file: {@link dev.sluice.collect.yaml.text.Template templates},
 * {@link dev.sluice.collect.yaml.text.Condition conditions}, spans of time and rates. Each is read
 * once, with a message for people if it cannot be, and used many times.
 */
@NullMarked
package dev.sluice.collect.yaml.text;

import org.jspecify.annotations.NullMarked;

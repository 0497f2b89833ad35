/**
 * Finding things in JSON: a {@link dev.sluice.collect.select.JsonPath} names members and elements
 * in the part of JSONPath that connectors need.
 */
@NullMarked
package dev.sluice.collect.select;

import org.jspecify.annotations.NullMarked;

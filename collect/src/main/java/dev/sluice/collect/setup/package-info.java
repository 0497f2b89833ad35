/** What a user sets up: a collection, which is a connector with its configuration and its sink. */
@NullMarked
package dev.sluice.collect.setup;

import org.jspecify.annotations.NullMarked;

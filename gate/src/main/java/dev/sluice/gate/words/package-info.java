/**
 * Words that people type, in commands, options and files: {@link dev.sluice.gate.words.Spelling}
 * finds the one that was meant. It lives here because every module that reads what people wrote
 * uses this one.
 */
@NullMarked
package dev.sluice.gate.words;

import org.jspecify.annotations.NullMarked;

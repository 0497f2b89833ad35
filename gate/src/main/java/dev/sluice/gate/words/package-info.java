/**
 * Words that people type, in commands, options and files: {@link dev.sluice.gate.words.Spelling}
 * finds the one that was meant, {@link dev.sluice.gate.words.ShellWord} writes one as it must be
 * typed. They live here because every module that reads what people wrote, or tells them what to
 * type, uses this one.
 */
@NullMarked
package dev.sluice.gate.words;

import org.jspecify.annotations.NullMarked;

/**
 * The command line. {@link dev.sluice.cli.Sluice} is where it starts, every command ends with one
 * of the {@link dev.sluice.cli.ExitCode exit codes}, and whatever goes wrong is told in the words
 * of the person who typed the command.
 */
@NullMarked
package dev.sluice.cli;

import org.jspecify.annotations.NullMarked;

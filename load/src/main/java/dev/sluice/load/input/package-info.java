/**
 * Which records are there? {@link dev.sluice.load.input.Input} opens a file or standard input, and
 * a {@link dev.sluice.load.input.RecordReader} hands out one {@link
 * dev.sluice.load.input.RawRecord} after the other. What is wrong with one record is said in that
 * record; what is wrong with the whole is a {@link dev.sluice.load.input.BadInputException}.
 */
@NullMarked
package dev.sluice.load.input;

import org.jspecify.annotations.NullMarked;

package dev.sluice.runs.evidence;

import dev.sluice.control.signal.WireName;
import java.util.regex.Pattern;

/**
 * What a piece of evidence may say. Stable wire names.
 *
 * <p>A value is a number, or a word of the program's own: neither has room for an address, an id or
 * a credential.
 */
public enum Fact implements WireName {
  /** The circuit's state before. */
  PREVIOUS_STATE,
  /** The circuit's state since. */
  STATE,
  /** What moved the circuit. */
  TRIGGER,
  /** Why it happened. */
  REASON,
  /** The kind of record that it happened to. */
  STREAM,
  /** Which end of the stream. */
  MODE,
  /** Which lane, by the number that its name gives, which does not give the name away. */
  LANE(true),
  /** How long the previous state had lasted, in milliseconds. */
  ELAPSED_MS(true),
  /** How many requests were made so far. */
  REQUESTS(true),
  /** How many retries the run had left, in whole ones. */
  RETRY_TOKENS(true),
  /** How long nothing is sent, in milliseconds. */
  HELD_MS(true),
  /** How many episodes of pressure there were in a row. */
  CONSECUTIVE(true),
  /** How many it concerns. */
  COUNT(true);

  /** Lower case and never a digit: nothing that was made by a machine looks like this. */
  private static final Pattern WORD = Pattern.compile("[a-z]+(_[a-z]+)*");

  private static final int LONGEST_WORD = 32;

  /** What a stream is called here whose name is no word. */
  static final String UNNAMED = "unnamed";

  private final boolean number;

  Fact() {
    this(false);
  }

  Fact(boolean number) {
    this.number = number;
  }

  /** Whether its value is a number, not a word. */
  public boolean isNumber() {
    return number;
  }

  /** Whether this may be its value. */
  public boolean fits(String value) {
    return number ? isNumber(value) : isWord(value);
  }

  static boolean isWord(String value) {
    return value.length() <= LONGEST_WORD && WORD.matcher(value).matches();
  }

  private static boolean isNumber(String value) {
    try {
      return Long.parseLong(value) >= 0 && value.equals(Long.toString(Long.parseLong(value)));
    } catch (NumberFormatException e) {
      return false;
    }
  }
}

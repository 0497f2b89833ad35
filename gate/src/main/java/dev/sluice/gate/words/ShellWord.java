package dev.sluice.gate.words;

import java.util.regex.Pattern;

/** Arguments as they must be typed, so that a shell takes each for one and changes nothing. */
public final class ShellWord {
  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

  private ShellWord() {}

  /** In quotes, if it needs them. */
  public static String quoted(String argument) {
    return PLAIN.matcher(argument).matches()
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }
}

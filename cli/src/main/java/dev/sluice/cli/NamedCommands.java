package dev.sluice.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The commands that messages name, so that they can be pasted: whoever writes a message inside a
 * run does not know where its state is kept, and a command that looks elsewhere finds nothing.
 */
final class NamedCommands {
  /** Those that look into a store. Options may stand before arguments. */
  private static final Pattern LOOKS_INTO_STORE =
      Pattern.compile("\\bsluice (reset|status|evidence|runs|gaps( explain| requeue)?)\\b");

  private final String stateOption;

  /**
   * Commands that find a state.
   *
   * @param stateOption what {@link StateOption#toFind} says; may be empty
   */
  NamedCommands(String stateOption) {
    this.stateOption = stateOption;
  }

  /** A message of this program's own, in which every command finds the state. */
  String in(String message) {
    return LOOKS_INTO_STORE
        .matcher(message)
        .replaceAll(found -> Matcher.quoteReplacement(found.group() + stateOption));
  }
}

package dev.sluice.load.input;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An input that cannot be read any further; the message says what to do. */
public final class BadInputException extends IOException {
  private final String input;
  private final long line;

  BadInputException(String input, long line, String problem, @Nullable Throwable cause) {
    super((line > 0 ? input + ", line " + line : input) + ": " + problem, cause);
    this.input = input;
    this.line = line;
  }

  BadInputException(String input, String problem) {
    this(input, 0, problem, null);
  }

  /** The name of the file, or {@code standard input}. */
  public String input() {
    return input;
  }

  /** Where, from 1; 0 if it is the whole input that cannot be read. */
  public long line() {
    return line;
  }
}

package dev.sluice.collect.connector;

import static java.util.Objects.requireNonNull;

import java.io.IOException;

/**
 * What was handed on so far is void, and has to be read again from its beginning: thrown by a
 * stream whose pages shifted while they were read, or which found more than it wants to read at
 * once. Whoever reads forgets the records, and asks again.
 */
public final class ReadAgainException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Whoever was asked so often for the same thing will not get it by asking once more. */
  public static final int MOST = 10;

  private final boolean smaller;

  private ReadAgainException(String message, boolean smaller) {
    super(requireNonNull(message, "message"));
    this.smaller = smaller;
  }

  /**
   * Records came or went meanwhile, so that some may have been missed.
   *
   * @param message how it was noticed
   */
  public static ReadAgainException shifted(String message) {
    return new ReadAgainException(message, false);
  }

  /** There is too much in it: the next attempt is for half of it ({@link SliceStart#shrink}). */
  public static ReadAgainException tooLarge() {
    return new ReadAgainException("there is more in it than should be read at once", true);
  }

  /** Whether a smaller slice is wanted. */
  public boolean wantsSmaller() {
    return smaller;
  }

  /** Something that is read; read again, what it had found before is void. */
  @FunctionalInterface
  public interface Reading {
    /** Reads it from its beginning. */
    void read() throws ProviderException, ReadAgainException, IOException, InterruptedException;
  }

  /**
   * Reads until it need not be read again.
   *
   * @throws ProviderException as the reading, or if it was in vain {@value #MOST} times
   */
  public static void untilItCounts(Reading reading)
      throws ProviderException, IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        reading.read();
        return;
      } catch (ReadAgainException again) {
        if (attempt == MOST) {
          throw again.inVain();
        }
      }
    }
  }

  /** What is said when it was asked for {@value #MOST} times in vain. */
  public ProviderException inVain() {
    return ProviderException.unexpected(
        "%s, %d times in a row; smaller windows help".formatted(getMessage(), MOST));
  }
}

package dev.sluice.collect.connector;

import static java.util.Objects.requireNonNull;

import java.io.IOException;

/**
 * A slice that was read so that it counts. Immutable.
 *
 * @param end where it ended
 * @param shrink how often it had to be halved
 */
public record SliceRead(SliceEnd end, int shrink) {
  public SliceRead {
    requireNonNull(end, "end");
  }

  /** Takes the records of a slice until it is known whether they count. */
  public interface Draft extends Records {
    /** All that was taken so far is void, and comes again. */
    void forget() throws IOException;
  }

  /**
   * Reads a slice; again from its beginning, and smaller if so wanted, as long as what came turns
   * out to be void.
   *
   * @throws ProviderException if the provider's answer ends it, or nothing that counts can be had
   * @throws IOException if no answer came, or a record could not be kept
   */
  public static SliceRead of(ListStream stream, SliceStart start, Requests requests, Draft draft)
      throws ProviderException, IOException, InterruptedException {
    SliceStart from = start;
    int inVain = 0;
    while (true) {
      try {
        return new SliceRead(stream.read(from, requests, draft), from.shrink());
      } catch (ReadAgainException again) {
        if (again.wantsSmaller() && stream.canShrink(from)) {
          from = from.halved();
        } else if (++inVain == ReadAgainException.MOST) {
          throw again.inVain();
        }
        draft.forget();
      }
    }
  }
}

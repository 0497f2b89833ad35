package dev.sluice.collect.yaml.paging;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.runs.run.Reason;
import java.util.zip.CRC32C;

/**
 * Notices when pages go in a circle, or never end, with a memory of one page (Brent's algorithm):
 * it remembers every page whose number is a power of two, and meets it again at the latest when the
 * circle was gone round twice. Small enough to be kept in a bookmark. Immutable.
 *
 * @param pages how many pages there were
 * @param empty how many of the last ones had no records
 * @param mark the fingerprint of the remembered one
 */
public record LoopGuard(long pages, int empty, long mark) {
  /** Before the first page. */
  public static final LoopGuard START = new LoopGuard(0, 0, -1);

  private static final int MOST_EMPTY = 1_000;

  /**
   * The same after one more page.
   *
   * @param token what leads on from it
   * @param records how many it had
   * @throws ProviderException if the page was there before, or there were too many without records
   */
  public LoopGuard next(String token, int records) throws ProviderException {
    long print = fingerprint(token);
    if (print == mark) {
      throw loop(
          "after %,d pages the service leads back to one that was read".formatted(pages + 1));
    }
    int without = records == 0 ? empty + 1 : 0;
    if (without > MOST_EMPTY) {
      throw loop("the last %,d pages were empty, and the service offers more".formatted(without));
    }
    long count = pages + 1;
    return new LoopGuard(count, without, Long.bitCount(count) == 1 ? print : mark);
  }

  /** A circle that was noticed in another way. */
  public static ProviderException loop(String message) {
    return new ProviderException(Reason.Failure.CURSOR_LOOP, ProviderException.NO_STATUS, message);
  }

  private static long fingerprint(String token) {
    CRC32C check = new CRC32C();
    check.update(token.getBytes(UTF_8));
    // 32 bits of checksum and the length: one false alarm in billions of pages.
    return check.getValue() << 20 | (token.length() & 0xFFFFF);
  }
}

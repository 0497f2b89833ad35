package dev.sluice.collect.yaml.paging;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.yaml.request.Spot;
import dev.sluice.runs.run.Reason;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Notices when pages go in a circle, or never end, with a memory of one page (Brent's algorithm):
 * it remembers every page whose number is a power of two, and meets it again at the latest when the
 * circle was gone round twice. Small enough to be kept in a bookmark. Immutable.
 *
 * @param pages how many pages there were
 * @param empty how many of the last ones had no records
 * @param mark the fingerprint of the remembered one
 * @param restarts how often the walk was begun again
 */
public record LoopGuard(long pages, int empty, long mark, int restarts) {
  /** Before the first page. */
  public static final LoopGuard START = new LoopGuard(0, 0, -1, 0);

  private static final int MOST_EMPTY = 1_000;
  private static final int MOST_RESTARTS = 8;

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
    return new LoopGuard(count, without, Long.bitCount(count) == 1 ? print : mark, restarts);
  }

  /**
   * The same where the walk begins again, because its way on is no longer taken.
   *
   * @throws ProviderException if that happened too often before its end was reached
   */
  public LoopGuard restarted() throws ProviderException {
    if (restarts == MOST_RESTARTS) {
      throw loop(
          "the service no longer took its own way to the next page, %,d times before the last page was reached; pages.token-dies: fail shows its answer"
              .formatted(restarts + 1));
    }
    return new LoopGuard(0, 0, -1, restarts + 1);
  }

  /**
   * Pages that are told apart by their position differ.
   *
   * @param by what the service is asked for them with
   * @throws ProviderException if two in a row have the same records
   */
  static void requireOther(List<?> records, List<?> before, Spot by) throws ProviderException {
    if (records.equals(before)) {
      throw loop("two pages in a row are the same; does the service know %s?".formatted(by.name()));
    }
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

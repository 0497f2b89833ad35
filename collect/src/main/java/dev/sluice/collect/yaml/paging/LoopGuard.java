package dev.sluice.collect.yaml.paging;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.yaml.request.Page;
import dev.sluice.collect.yaml.request.Spot;
import dev.sluice.runs.run.Reason;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Notices when pages go in a circle, or never end, with a memory of one page (Brent's algorithm):
 * it remembers every page whose number is a power of two, and meets it again at the latest when the
 * circle was gone round twice. A page is known by what leads on from it, and by its records: a
 * service that does not know the parameter of a token gives the same page with another token each
 * time. Small enough to be kept in a bookmark. Immutable.
 *
 * @param pages how many pages there were
 * @param empty how many of the last ones had no records
 * @param mark the fingerprint of the remembered one's token
 * @param restarts how often the walk was begun again
 * @param print that of the remembered one's records, or {@link Page#NO_PRINT}
 * @param known how many pages had the same records as the remembered one
 */
public record LoopGuard(long pages, int empty, long mark, int restarts, long print, int known) {
  /** Before the first page. */
  public static final LoopGuard START = new LoopGuard(0, 0, -1, 0, Page.NO_PRINT, 0);

  private static final int MOST_EMPTY = 1_000;

  /** One page may come twice by mistake. */
  private static final int MOST_KNOWN = 1;

  private static final int MOST_RESTARTS = 8;

  /**
   * The same after one more page.
   *
   * @param token what leads on from it
   * @throws ProviderException if the page was there before, or there were too many without records
   */
  public LoopGuard next(String token, Page page) throws ProviderException {
    long tokenPrint = fingerprint(token);
    if (tokenPrint == mark) {
      throw loop(
          "after %,d pages the service leads back to one that was read".formatted(pages + 1));
    }
    boolean again = page.print() != Page.NO_PRINT && page.print() == print;
    if (again && known == MOST_KNOWN) {
      throw loop(
          "after %,d pages the service gives the same records again, though it was asked for other pages; does it know the parameter that pages.ask names?"
              .formatted(pages + 1));
    }
    int without = page.records().isEmpty() ? empty + 1 : 0;
    if (without > MOST_EMPTY) {
      throw loop("the last %,d pages were empty, and the service offers more".formatted(without));
    }
    long count = pages + 1;
    boolean remembered = Long.bitCount(count) == 1;
    return new LoopGuard(
        count,
        without,
        remembered ? tokenPrint : mark,
        restarts,
        remembered ? page.print() : print,
        known + (again ? 1 : 0));
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
    return new LoopGuard(0, 0, -1, restarts + 1, Page.NO_PRINT, 0);
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

package dev.sluice.dataverse.bulk;

/**
 * Are so many rows refused that they cost less if each is asked for by itself? A bulk message is
 * refused as a whole for one bad row. To find few of them, halves are sent; to find many, that
 * takes more messages and more of the service's time than a {@code $batch} that goes on after
 * errors, which is slower for rows that are in order.
 *
 * <p>It looks at the latest rows only, and changes its mind only when their share has halved: rows
 * that are refused come in clusters. Not thread-safe.
 */
final class RejectShare {
  /** Before so many rows were refused, halving costs little. */
  static final int EVIDENCE = 100;

  /** From this share of refused rows on, each row is asked for by itself. */
  static final double MANY = 0.03;

  /** Below this share, bulk messages are sent again. */
  static final double FEW = MANY / 2;

  /** About so many rows are looked at. */
  static final int WINDOW = 1_000;

  private long rejected;
  private double good;
  private double bad;
  private boolean many;

  /** A row has its outcome; returns whether that changed the answer. */
  boolean settled(boolean refused) {
    if (refused) {
      rejected++;
      bad++;
    } else {
      good++;
    }
    if (good + bad >= WINDOW) {
      good /= 2;
      bad /= 2;
    }
    boolean before = many;
    double share = bad / (good + bad);
    many = rejected >= EVIDENCE && share >= (before ? FEW : MANY);
    return many != before;
  }

  /** Whether rows are asked for one by one. */
  boolean many() {
    return many;
  }
}

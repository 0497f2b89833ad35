package dev.sluice.load.reject;

import java.util.List;

/**
 * How many records were rejected, by reason. Immutable.
 *
 * @param reasons the most frequent ones, those with the most records first; at most {@value #MOST}
 * @param others records that were rejected for other reasons
 */
public record RejectReasons(List<Reason> reasons, long others) {
  /** So many reasons are told apart in the end. */
  public static final int MOST = 10;

  /** Nothing was rejected. */
  public static final RejectReasons NONE = new RejectReasons(List.of(), 0);

  /**
   * One reason: what the service, or the mapping, had against some records.
   *
   * @param code what {@code error_code} shows in the reject file
   * @param message what {@code error_message} shows, without the line; what differs from record to
   *     record is left out ({@code name is '…'})
   * @param count how many records were rejected for it
   * @param line the line of the input on which the first of them starts, from 1; 0 if not known
   */
  public record Reason(String code, String message, long count, long line) {}

  public RejectReasons {
    reasons = List.copyOf(reasons);
  }

  /** The same, if so many were rejected in all: those that were not counted are others. */
  public RejectReasons outOf(long rejected) {
    long listed = reasons.stream().mapToLong(Reason::count).sum();
    return new RejectReasons(reasons, Math.max(others, rejected - listed));
  }
}

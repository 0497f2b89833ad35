package dev.sluice.load.reject;

import java.util.List;
import java.util.stream.Collectors;

/**
 * How many records were rejected, by reason. Immutable.
 *
 * @param reasons the most frequent ones, those with the most records first; at most {@value #MOST}
 * @param others records that were rejected for other reasons
 */
public record RejectReasons(List<Reason> reasons, long others) {
  /** So many reasons are told apart in the end. */
  public static final int MOST = 10;

  private static final int MOST_IN_WORDS = 3;

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
  public record Reason(String code, String message, long count, long line) {
    /** For people. */
    public String words() {
      String example = line > 0 ? ", for example line " + line : "";
      return "%,d by %s (%s)%s".formatted(count, code, message, example);
    }
  }

  public RejectReasons {
    reasons = List.copyOf(reasons);
  }

  /** The most frequent reasons, each with an example, for people: {@code ": 12 for …"}. */
  public String words() {
    return reasons.stream()
        .limit(MOST_IN_WORDS)
        .map(Reason::words)
        .collect(Collectors.joining("; ", reasons.isEmpty() ? "" : ": ", ""));
  }

  /** The same, if so many were rejected in all: those that were not counted are others. */
  public RejectReasons outOf(long rejected) {
    long listed = reasons.stream().mapToLong(Reason::count).sum();
    return new RejectReasons(reasons, Math.max(others, rejected - listed));
  }
}

package dev.sluice.bench;

import dev.sluice.gate.Ask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Shows a gate with a thousand to a million callers waiting: what one of them costs in memory, and
 * what letting one through costs in time, which must not grow with the number that waits.
 *
 * <p>One argument: the largest number, a million if it is left out. Ends with an error if callers
 * were let through in another order than they came or at another pace, or if one of them takes a
 * kilobyte or more.
 */
public final class ManyWaiters {
  private static final List<Integer> SIZES = List.of(Crowd.SMALLEST, 10_000, 100_000, 1_000_000);
  private static final Ask WITH_DEADLINE = Ask.plain().within(Duration.ofDays(1));
  private static final double MOST_BYTES = 1024;

  private ManyWaiters() {}

  /** Prints a table in Markdown. */
  public static void main(String[] args) {
    int largest = args.length == 0 ? Integer.MAX_VALUE : Integer.parseInt(args[0]);
    warmUp();
    System.out.println(
        "| waiting | deadline | bytes each | ns per release: first 1,000 | all"
            + " | bare queue: first 1,000 | all |");
    System.out.println("|---:|---|---:|---:|---:|---:|---:|");
    for (int size : SIZES) {
      if (size <= largest) {
        System.out.println(row(size, "none", Ask.patient()));
        System.out.println(row(size, "each", WITH_DEADLINE));
      }
    }
  }

  /** Until the compiler has seen both kinds of waiter in all that happens to them. */
  private static void warmUp() {
    for (int round = 0; round < 20; round++) {
      Crowd.released(10_000, Ask.patient());
      Crowd.released(10_000, WITH_DEADLINE);
      Crowd.bare(10_000);
    }
  }

  /** The medians of some rounds, in turns with a bare queue: more of them where one is short. */
  private static String row(int size, String deadline, Ask ask) {
    int rounds = Math.clamp(500_000 / size, 5, 51);
    List<Crowd> crowds = new ArrayList<>();
    List<Crowd> queues = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      crowds.add(Crowd.released(size, ask));
      queues.add(Crowd.bare(size));
    }
    double bytes = median(crowds, Crowd::bytesEach);
    if (bytes >= MOST_BYTES) {
      throw new IllegalStateException(
          "each of %,d waiting callers takes %.0f bytes".formatted(size, bytes));
    }
    return "| %,d | %s | %.0f | %,.0f | %,.0f | %,.0f | %,.0f |"
        .formatted(
            size,
            deadline,
            bytes,
            median(crowds, Crowd::nanosAtFirst),
            median(crowds, Crowd::nanosEach),
            median(queues, Crowd::nanosAtFirst),
            median(queues, Crowd::nanosEach));
  }

  private static double median(List<Crowd> crowds, ToDoubleFunction<Crowd> figure) {
    double[] sorted = crowds.stream().mapToDouble(figure).sorted().toArray();
    return sorted[sorted.length / 2];
  }
}

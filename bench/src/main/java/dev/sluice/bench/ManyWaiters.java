package dev.sluice.bench;

import dev.sluice.gate.Ask;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Shows a gate with a thousand to a million callers waiting: what one of them costs in memory, and
 * what letting one through costs in time, which must not grow with the number that waits.
 *
 * <p>Arguments: the largest number, a million if none is given. Ends with an error if callers were
 * let through in another order or at another pace, or if one of them takes a kilobyte or more.
 */
public final class ManyWaiters {
  private static final List<Integer> SIZES = List.of(1_000, 10_000, 100_000, 1_000_000);
  private static final Ask WITH_DEADLINE = Ask.plain().within(Duration.ofDays(1));
  private static final double MOST_BYTES = 1024;

  private ManyWaiters() {}

  /** Prints a table in Markdown. */
  public static void main(String[] args) {
    int largest = args.length == 0 ? Integer.MAX_VALUE : Integer.parseInt(args[0]);
    warmUp();
    System.out.println(
        "| waiting | bytes each | ns per release | with a deadline: bytes each |"
            + " ns per release |");
    System.out.println("|---:|---:|---:|---:|---:|");
    for (int size : SIZES) {
      if (size <= largest) {
        System.out.println(
            "| %,d | %s | %s |"
                .formatted(size, measured(size, Ask.patient()), measured(size, WITH_DEADLINE)));
      }
    }
  }

  /** Until the compiler has seen both kinds of waiter in all that happens to them. */
  private static void warmUp() {
    for (int round = 0; round < 20; round++) {
      Crowd.released(10_000, Ask.patient());
      Crowd.released(10_000, WITH_DEADLINE);
    }
  }

  /** The medians of some rounds: more where a round is short. */
  private static String measured(int size, Ask ask) {
    int rounds = Math.clamp(500_000 / size, 5, 51);
    List<Crowd> crowds =
        IntStream.range(0, rounds).mapToObj(round -> Crowd.released(size, ask)).toList();
    double bytes = median(crowds.stream().mapToDouble(Crowd::bytesEach).toArray());
    double nanos = median(crowds.stream().mapToDouble(Crowd::nanosEach).toArray());
    if (bytes >= MOST_BYTES) {
      throw new IllegalStateException(
          "each of %,d waiting callers takes %.0f bytes".formatted(size, bytes));
    }
    return "%.0f | %,.0f".formatted(bytes, nanos);
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}

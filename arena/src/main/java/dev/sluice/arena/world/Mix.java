package dev.sluice.arena.world;

import dev.sluice.arena.bout.Operation;
import java.util.List;

/**
 * What a job consists of: kinds of operations and their shares.
 *
 * @param operations the kinds
 * @param shares how much of each, adding up to 1
 */
public record Mix(List<Operation> operations, List<Double> shares) {
  public Mix {
    operations = List.copyOf(operations);
    shares = List.copyOf(shares);
    if (operations.isEmpty() || operations.size() != shares.size()) {
      throw new IllegalArgumentException(
          operations.size() + " kinds of operations with " + shares.size() + " shares");
    }
  }

  /** Nothing but one kind. */
  public static Mix of(String name, long base) {
    return new Mix(List.of(new Operation(name, base)), List.of(1.0));
  }

  /** The kind at a place in the shares, 0 to below 1. */
  Operation at(double place) {
    double sum = 0;
    for (int i = 0; i < shares.size(); i++) {
      sum += shares.get(i);
      if (place < sum) {
        return operations.get(i);
      }
    }
    return operations.get(operations.size() - 1);
  }

  /** The average time of one request on an idle service, in nanoseconds. */
  double meanBase() {
    double sum = 0;
    for (int i = 0; i < shares.size(); i++) {
      sum += shares.get(i) * operations.get(i).base();
    }
    return sum;
  }
}

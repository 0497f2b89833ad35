package dev.sluice.simulator.limit;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Definitions of limits, recounted from the list of all admissions: slow and plain. */
sealed interface Recount {

  /** Whether the definition allows one more at {@code now}, after these. */
  boolean allows(List<Long> admitted, long now);

  /** At most {@code limit} within any period. */
  record Sliding(long limit, long period) implements Recount {
    @Override
    public boolean allows(List<Long> admitted, long now) {
      return admitted.stream().filter(at -> now - at < period).count() < limit;
    }
  }

  /** At most {@code limit} between two boundaries of the clock. */
  record OnTheClock(long limit, long period, long boundary) implements Recount {
    @Override
    public boolean allows(List<Long> admitted, long now) {
      long window = window(now);
      return admitted.stream().filter(at -> window(at) == window).count() < limit;
    }

    private long window(long time) {
      return Math.floorDiv(time - boundary, period);
    }
  }

  /** At most {@code limit} in a window that the first request opens. */
  record FromTheFirst(long limit, long period) implements Recount {
    @Override
    public boolean allows(List<Long> admitted, long now) {
      long count = 0;
      long start = 0;
      for (long at : admitted) {
        if (count == 0 || at - start >= period) {
          start = at;
          count = 0;
        }
        count++;
      }
      return (count == 0 || now - start >= period ? 0 : count) < limit;
    }
  }

  /** Over any span that ends now, at most {@code capacity + span × refill / period}. */
  record Bucket(long capacity, long refill, long period) implements Recount {
    @Override
    public boolean allows(List<Long> admitted, long now) {
      List<Long> all = new ArrayList<>(admitted);
      all.add(now);
      for (int i = 0; i < all.size(); i++) {
        BigInteger excess = BigInteger.valueOf(all.size() - i - capacity);
        BigInteger inflow =
            BigInteger.valueOf(now - all.get(i)).multiply(BigInteger.valueOf(refill));
        if (excess.multiply(BigInteger.valueOf(period)).compareTo(inflow) > 0) {
          return false;
        }
      }
      return true;
    }
  }

  /** All of them. */
  record All(List<Recount> parts) implements Recount {
    @Override
    public boolean allows(List<Long> admitted, long now) {
      return parts.stream().allMatch(part -> part.allows(admitted, now));
    }
  }
}

package dev.sluice.control.routing;

import dev.sluice.control.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StringGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever threads do to the tracker at once could have been done by one thread in some order, the
 * passing of time included: it is one of the operations.
 */
@Param(name = "connection", gen = StringGen.class, conf = "1:ab")
@Param(name = "nanos", gen = IntGen.class, conf = "1:3")
public class ThrottleTrackerLincheckTest {
  private final AtomicLong clock = new AtomicLong();
  private final ThrottleTracker tracker =
      ThrottleTracker.create(
          new Ticker() {
            @Override
            public long nanos() {
              return clock.get();
            }

            @Override
            public Instant instant() {
              return Instant.EPOCH;
            }
          },
          Duration.ZERO);

  @Operation
  public void pass(@Param(name = "nanos") int nanos) {
    long unused = clock.addAndGet(nanos);
  }

  @Operation
  public void recordThrottle(
      @Param(name = "connection") String connection, @Param(name = "nanos") int nanos) {
    tracker.recordThrottle(connection, Duration.ofNanos(nanos));
  }

  @Operation
  public boolean isThrottled(@Param(name = "connection") String connection) {
    return tracker.isThrottled(connection);
  }

  @Operation
  public String throttledConnections() {
    return tracker.throttledConnections().toString();
  }

  @Operation
  public int throttledConnectionCount() {
    return tracker.throttledConnectionCount();
  }

  @Operation
  public long shortestExpiry() {
    return tracker.shortestExpiry().toNanos();
  }

  @Operation
  public long totalThrottleEvents() {
    return tracker.totalThrottleEvents();
  }

  @Test
  void every_interleaving_of_a_few_operations_is_linearizable() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(1)
        .actorsAfter(1)
        .iterations(10)
        .invocationsPerIteration(100)
        .check(ThrottleTrackerLincheckTest.class);
  }

  @Test
  @Tag("slow")
  void many_interleavings_of_three_threads_are_linearizable() {
    new ModelCheckingOptions()
        .threads(3)
        .actorsPerThread(3)
        .iterations(20)
        .invocationsPerIteration(200)
        .check(ThrottleTrackerLincheckTest.class);
  }
}

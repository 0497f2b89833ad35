package dev.sluice.control.parallelism;

import dev.sluice.control.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.StringGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever threads do to the controller at once could have been done by one thread in some order.
 *
 * <p>Time stands still and every success may raise the level, so that each operation changes what
 * the others see.
 */
@Tag("slow")
@Param(name = "connection", gen = StringGen.class, conf = "1:ab")
@Param(name = "max", gen = IntGen.class, conf = "4:9")
public class AdaptiveRateControllerLincheckTest {
  private static final Ticker STOPPED =
      new Ticker() {
        @Override
        public long nanos() {
          return 0;
        }

        @Override
        public Instant instant() {
          return Instant.EPOCH;
        }
      };

  private final AdaptiveRateController controller =
      new AdaptiveRateController(
          AdaptiveRateOptions.builder()
              .stabilizationBatches(2)
              .minIncreaseInterval(Duration.ZERO)
              .build(),
          STOPPED);

  @Operation
  public int parallelism(
      @Param(name = "connection") String connection, @Param(name = "max") int max) {
    return controller.parallelism(connection, max);
  }

  @Operation
  public void recordSuccess(@Param(name = "connection") String connection) {
    controller.recordSuccess(connection, Duration.ofSeconds(60));
  }

  @Operation
  public void recordThrottle(@Param(name = "connection") String connection) {
    controller.recordThrottle(connection, Duration.ofSeconds(30));
  }

  @Operation
  public void reset(@Param(name = "connection") String connection) {
    controller.reset(connection);
  }

  @Operation
  public Optional<AdaptiveRateStatistics> statistics(
      @Param(name = "connection") String connection) {
    return controller.statistics(connection);
  }

  @Test
  void every_interleaving_of_a_few_operations_is_linearizable() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(2)
        .iterations(6)
        .invocationsPerIteration(100)
        .check(AdaptiveRateControllerLincheckTest.class);
  }

  @Test
  void many_interleavings_of_three_threads_are_linearizable() {
    new ModelCheckingOptions()
        .threads(3)
        .actorsPerThread(3)
        .iterations(30)
        .invocationsPerIteration(1_000)
        .check(AdaptiveRateControllerLincheckTest.class);
  }

  @Test
  void three_threads_at_full_speed_are_linearizable() {
    new StressOptions()
        .threads(3)
        .actorsPerThread(3)
        .iterations(30)
        .invocationsPerIteration(2_000)
        .check(AdaptiveRateControllerLincheckTest.class);
  }
}

package dev.sluice.gate.http;

import java.time.Duration;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Any interleaving of samples and readings looks as if they had come one after another. */
public class ClockSkewLincheckTest {
  private final ClockSkew skew = new ClockSkew();

  @Operation
  public void observe(@Param(gen = IntGen.class, conf = "3:6") int secondsAhead) {
    skew.observe(Duration.ofSeconds(secondsAhead).toNanos(), 0);
  }

  @Operation
  public long nanos() {
    return skew.nanos();
  }

  @Test
  void is_linearizable() {
    new ModelCheckingOptions()
        .iterations(5)
        .invocationsPerIteration(100)
        .threads(2)
        .actorsPerThread(2)
        .check(ClockSkewLincheckTest.class);
  }
}

package dev.sluice.control.budget;

import java.time.Duration;
import org.jetbrains.lincheck.datastructures.LongGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Whoever asks first starts the clock, and everybody agrees on when it ends. */
@Param(name = "now", gen = LongGen.class, conf = "0:8")
public class RunClockLincheckTest {
  private final RunBudget budget = RunBudget.ofTime(Duration.ofNanos(4));

  @Operation
  public long deadline(@Param(name = "now") long now) {
    return budget.deadline(now);
  }

  @Operation
  public String ask(@Param(name = "now") long now) {
    return budget.ask(now).wireName();
  }

  @Test
  void is_linearizable() {
    new ModelCheckingOptions()
        .iterations(6)
        .invocationsPerIteration(200)
        .threads(2)
        .actorsPerThread(3)
        .check(RunClockLincheckTest.class);
  }
}

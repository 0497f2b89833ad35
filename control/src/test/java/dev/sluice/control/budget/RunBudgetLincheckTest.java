package dev.sluice.control.budget;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jetbrains.lincheck.datastructures.LongGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Any interleaving of calls, the one that starts the clock among them, looks as if they had come
 * one after another: never overshot, and one clock.
 */
@Param(name = "now", gen = LongGen.class, conf = "0:8")
public class RunBudgetLincheckTest {
  private final RunBudget budget =
      RunBudget.of(OptionalLong.of(2), Optional.of(Duration.ofNanos(4)));

  @Operation
  public String tryReserve(@Param(name = "now") long now) {
    return budget.tryReserve(now).wireName();
  }

  @Operation
  public String ask(@Param(name = "now") long now) {
    return budget.ask(now).wireName();
  }

  @Operation
  public long deadline(@Param(name = "now") long now) {
    return budget.deadline(now);
  }

  /** Whether there was something to give back. */
  @Operation
  public boolean giveBack() {
    try {
      budget.giveBack();
      return true;
    } catch (IllegalStateException nothingReserved) {
      return false;
    }
  }

  @Operation
  public long used() {
    return budget.used();
  }

  @Test
  void is_linearizable() {
    new ModelCheckingOptions()
        .iterations(5)
        .invocationsPerIteration(200)
        .threads(2)
        .actorsPerThread(3)
        .check(RunBudgetLincheckTest.class);
  }

  @Test
  @Tag("slow")
  void is_linearizable_over_many_scenarios() {
    new ModelCheckingOptions()
        .iterations(50)
        .invocationsPerIteration(2_000)
        .threads(3)
        .actorsPerThread(3)
        .check(RunBudgetLincheckTest.class);
  }
}

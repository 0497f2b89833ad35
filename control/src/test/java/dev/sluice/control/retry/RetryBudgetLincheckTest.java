package dev.sluice.control.retry;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Any interleaving of calls looks as if they had come one after another: never overdrawn. */
public class RetryBudgetLincheckTest {
  private final RetryBudget budget = new RetryBudget(2, 0.5);

  @Operation
  public boolean tryWithdraw() {
    return budget.tryWithdraw();
  }

  @Operation
  public void deposit() {
    budget.deposit();
  }

  @Operation
  public void giveBack() {
    budget.giveBack();
  }

  @Operation
  public long tokens() {
    return budget.tokens();
  }

  @Test
  void is_linearizable_and_never_blocks() {
    new ModelCheckingOptions()
        .checkObstructionFreedom(true)
        .iterations(5)
        .invocationsPerIteration(200)
        .threads(2)
        .actorsPerThread(3)
        .check(RetryBudgetLincheckTest.class);
  }

  @Test
  @Tag("slow")
  void is_linearizable_over_many_scenarios() {
    new ModelCheckingOptions()
        .checkObstructionFreedom(true)
        .iterations(50)
        .invocationsPerIteration(3_000)
        .threads(3)
        .actorsPerThread(3)
        .check(RetryBudgetLincheckTest.class);
  }
}

package dev.sluice.control.pacing;

import org.jetbrains.lincheck.datastructures.LongGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Any interleaving of calls looks as if they had come one after another.
 *
 * <p>Times lie closer together than an interval: were they further apart, a place taken twice would
 * look like idle time, and a race could hide.
 *
 * <p>A loop counts as blocked only after more rounds than the longest pause has: a pause of fixed
 * length waits for nobody.
 */
@Param(name = "now", gen = LongGen.class, conf = "0:4")
public class GcraLincheckTest {
  private static final int LONGER_THAN_ANY_PAUSE = 1_000;

  private final Gcra pacer = Gcra.idleSince(0, 10, 10);

  @Operation
  public boolean tryAcquire(@Param(name = "now") long now) {
    return pacer.tryAcquire(now);
  }

  @Operation
  public long reserve(@Param(name = "now") long now) {
    return pacer.reserve(now);
  }

  @Operation
  public long earliest(@Param(name = "now") long now) {
    return pacer.earliest(now);
  }

  @Test
  void is_linearizable_and_never_blocks() {
    new ModelCheckingOptions()
        .checkObstructionFreedom(true)
        .loopIterationsBeforeThreadSwitch(LONGER_THAN_ANY_PAUSE)
        .iterations(5)
        .invocationsPerIteration(200)
        .threads(2)
        .actorsPerThread(3)
        .check(GcraLincheckTest.class);
  }

  @Test
  @Tag("slow")
  void is_linearizable_over_many_scenarios() {
    new ModelCheckingOptions()
        .checkObstructionFreedom(true)
        .loopIterationsBeforeThreadSwitch(LONGER_THAN_ANY_PAUSE)
        .iterations(50)
        .invocationsPerIteration(2_000)
        .threads(3)
        .actorsPerThread(3)
        .check(GcraLincheckTest.class);
  }
}

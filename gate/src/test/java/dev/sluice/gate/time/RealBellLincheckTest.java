package dev.sluice.gate.time;

import dev.sluice.gate.time.Time.Bell;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real bell, rung by many and polled by one, in every interleaving of a few steps. */
@Tag("slow")
public class RealBellLincheckTest {
  private final Bell bell = Time.real().bell();

  @Operation
  public void ring() {
    bell.ring();
  }

  @Operation(nonParallelGroup = "the one who waits")
  public boolean poll() throws InterruptedException {
    return bell.await(Long.MIN_VALUE / 2);
  }

  /** The bell as a single task sees it: rung or not. */
  public static final class Model {
    private boolean rung;

    public void ring() {
      rung = true;
    }

    public boolean poll() {
      boolean was = rung;
      rung = false;
      return was;
    }
  }

  @Test
  void a_ring_is_taken_exactly_once() {
    new ModelCheckingOptions()
        .threads(3)
        .actorsPerThread(2)
        .iterations(20)
        .invocationsPerIteration(1_000)
        .sequentialSpecification(Model.class)
        .check(getClass());
  }
}

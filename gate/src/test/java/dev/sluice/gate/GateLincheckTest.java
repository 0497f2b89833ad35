package dev.sluice.gate;

import dev.sluice.control.budget.RunBudget;
import dev.sluice.control.circuit.CircuitOptions;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Any interleaving of grants, settlements and refusals at one gate, with slots, circuit and a run's
 * cap, looks as if they had come one after another.
 */
public class GateLincheckTest {
  private static final int THREADS = 4;

  private final Gate gate =
      Gate.builder()
          .time(new StillTime())
          .lane(
              "a",
              LaneOptions.fixed(2)
                  .withCircuit(new CircuitOptions(true, 1.0, 2, 2, 0, Duration.ofSeconds(10), 1)))
          .build();
  private final Run run = Run.within("run", RunBudget.ofRequests(3));
  private final List<Deque<Permit>> permits = new ArrayList<>();

  public GateLincheckTest() {
    for (int i = 0; i <= THREADS + 1; i++) {
      permits.add(new ArrayDeque<>());
    }
  }

  @Operation
  public boolean tryAcquire(@Param(gen = ThreadIdGen.class) int thread) {
    Permit permit = gate.tryAcquire(run);
    if (permit != null) {
      permits.get(thread).add(permit);
    }
    return permit != null;
  }

  @Operation
  public void succeed(@Param(gen = ThreadIdGen.class) int thread) {
    Permit permit = permits.get(thread).poll();
    if (permit != null) {
      permit.settle(Signal.success());
    }
  }

  @Operation
  public void fail(@Param(gen = ThreadIdGen.class) int thread) {
    Permit permit = permits.get(thread).poll();
    if (permit != null) {
      permit.close();
    }
  }

  @Operation
  public void abandon(@Param(gen = ThreadIdGen.class) int thread) {
    Permit permit = permits.get(thread).poll();
    if (permit != null) {
      permit.abandon();
    }
  }

  @Operation
  public int inFlight() {
    return gate.statistics().inFlight();
  }

  @Test
  void is_linearizable() {
    new ModelCheckingOptions()
        .iterations(5)
        .invocationsPerIteration(100)
        .threads(2)
        .actorsPerThread(3)
        .check(GateLincheckTest.class);
  }

  @Tag("slow")
  @Test
  void is_linearizable_over_many_scenarios() {
    new ModelCheckingOptions()
        .iterations(50)
        .invocationsPerIteration(1_000)
        .threads(3)
        .actorsPerThread(3)
        .check(GateLincheckTest.class);
  }
}

package dev.sluice.control.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.sluice.control.signal.Signal;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class CircuitAllocationTest {
  private static final Signal FAILURE = Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR);

  @Test
  void without_a_transition_nothing_is_allocated() {
    CircuitBreaker circuit = new CircuitBreaker(CircuitOptions.DEFAULTS, 0);
    long unused = allocatedBy(circuit, 100); // loads the classes
    assertThat(allocatedBy(circuit, 10_000)).isLessThan(10_000);
    assertThat(circuit.lastTransition()).isNull();
  }

  @Test
  void refusing_allocates_nothing() {
    CircuitBreaker circuit = new CircuitBreaker(CircuitOptions.DEFAULTS.withRing(1, 1), 0);
    CircuitTransition started = circuit.start(0);
    CircuitTransition opened =
        circuit.failure(FailureKind.TRANSIENT, null, circuit.generation(), 0);
    assertThat(started).isNull();
    assertThat(opened).isNotNull();
    assertThat(refusals(circuit, 100)).isEqualTo(100);

    long before = allocated();
    int refused = refusals(circuit, 10_000);
    assertThat(allocated() - before).isLessThan(10_000);
    assertThat(refused).isEqualTo(10_000);
  }

  private static int refusals(CircuitBreaker circuit, int times) {
    int refused = 0;
    for (int i = 0; i < times; i++) {
      if (!circuit.admits(i) && circuit.triedAgainAt(i) > i) {
        refused++;
      }
    }
    return refused;
  }

  /** A healthy lane with a failure now and then; less than a byte per request is none at all. */
  private static long allocatedBy(CircuitBreaker circuit, int requests) {
    long before = allocated();
    for (int i = 0; i < requests; i++) {
      if (circuit.admits(i)) {
        CircuitTransition unused = circuit.start(i);
        Signal signal = i % 4 == 3 ? FAILURE : Signal.success();
        CircuitTransition none = circuit.settled(signal, false, null, circuit.generation(), i);
        if (none != null) {
          throw new AssertionError("a quarter of failures is no reason: " + none);
        }
      }
    }
    return allocated() - before;
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }
}

package dev.sluice.gate;

import dev.sluice.control.circuit.CircuitOptions;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.pacing.FixedRatePolicy;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** What the tests of the gate have in common. */
final class Gates {
  static final Duration SECOND = Duration.ofSeconds(1);

  private Gates() {}

  /** A lane with so many slots, no pace, and no buffer on told waits. */
  static LaneOptions slots(int count) {
    return LaneOptions.fixed(count);
  }

  /** A lane that paces at a rate, one at a time, with slots enough. */
  static LaneOptions paced(double perSecond) {
    return LaneOptions.of(now -> new FixedRatePolicy(perSecond, 1, 1_000_000, now));
  }

  /** The same lane, whose circuit opens at 2 failures of 2 and is tried again after 10 s. */
  static LaneOptions fragile(LaneOptions options) {
    return options.withCircuit(new CircuitOptions(true, 1.0, 2, 2, 0, Duration.ofSeconds(10), 1));
  }

  static GateBuilder on(Time time) {
    return Gate.builder().time(time).random(new SplittableRandom(7));
  }

  /** Seconds since the origin of a simulation that starts at zero. */
  static double seconds(Time time) {
    return time.nanos() / 1e9;
  }

  /** A task that acquires, notes the time, and settles. */
  static Time.Task caller(Time time, Gate gate, Run run, List<String> log, String name) {
    return time.start(
        name,
        () -> {
          try (Permit permit = gate.acquire(run)) {
            log.add(name + "@" + seconds(time));
            permit.settle(Signal.success());
          } catch (InterruptedException e) {
            log.add(name + " interrupted");
          } catch (RefusedException e) {
            log.add(name + " refused " + e.refusal().wireName() + "@" + seconds(time));
          }
        });
  }

  static void joinAll(List<Time.Task> tasks) throws InterruptedException {
    for (Time.Task task : tasks) {
      task.join();
    }
  }

  /** Fails a lane's circuit open with two failures. */
  static void fail(Gate gate, int times) throws InterruptedException {
    List<Permit> permits = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      permits.add(gate.acquire());
    }
    for (Permit permit : permits) {
      permit.settle(Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR));
    }
  }
}

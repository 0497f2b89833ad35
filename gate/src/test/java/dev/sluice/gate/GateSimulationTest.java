package dev.sluice.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.budget.RunBudget;
import dev.sluice.control.circuit.CircuitOptions;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.pacing.PacerOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories at a gate over several lanes: callers that settle in every way, abandon, forget,
 * are interrupted, cancel, time out; lanes that come and go. Whatever happens, nothing is lost and
 * nothing is sent too early.
 */
class GateSimulationTest {
  private static final int CALLERS = 30;
  private static final int REQUESTS = 20;
  private static final long CAP = 400;

  static LongStream seeds() {
    return LongStream.range(0, 60 * Integer.getInteger("sluice.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void no_permit_is_lost_and_nothing_is_sent_early(long seed) {
    new World(seed).run();
  }

  /** What a lane's callers know since {@code since}. */
  private record Told(String lane, long since, long until) {
    boolean forbids(String name, long sentAt) {
      return lane.equals(name) && sentAt > since && sentAt < until;
    }
  }

  /** One history; all randomness comes from the seed. */
  private static final class World {
    private final long seed;
    private final RunBudget budget = RunBudget.ofRequests(CAP);
    private final List<Told> told = new ArrayList<>();
    private final Map<String, Integer> inFlight = new HashMap<>();
    private long kept;
    private int abandoned;

    World(long seed) {
      this.seed = seed;
    }

    void run() {
      // Half of the histories begin at a time below zero.
      long origin = seed % 2 == 0 ? 0 : -Duration.ofDays(1).toNanos();
      SimulatedTime.with(seed).origin(origin).run(this::history);
    }

    private void history(SimulatedTime time) throws InterruptedException {
      RandomGenerator random = new SplittableRandom(seed);
      Gate gate =
          Gate.builder()
              .time(time)
              .random(new SplittableRandom(seed))
              .lane("slots", LaneOptions.fixed(1 + random.nextInt(3)))
              .lane("paced", LaneOptions.paced(PacerOptions.DEFAULTS))
              .lane(
                  "fragile",
                  LaneOptions.fixed(2)
                      .withCircuit(
                          new CircuitOptions(true, 0.5, 4, 3, 0, Duration.ofSeconds(5), 1)))
              .build();
      List<Time.Task> callers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        RandomGenerator own = new SplittableRandom(seed * 1_000 + i);
        callers.add(time.start("caller" + i, () -> requests(time, gate, own)));
      }
      for (int i = 0; i < 20; i++) {
        time.sleep(Duration.ofMillis(random.nextInt(2_000)));
        callers.get(random.nextInt(CALLERS)).interrupt();
        if (i == 10) {
          gate.removeLane("slots");
        } else if (i == 15) {
          gate.addLane("late", LaneOptions.fixed(2));
        }
      }
      for (Time.Task caller : callers) {
        caller.join();
      }
      checkEnd(gate);
    }

    private void checkEnd(Gate gate) {
      PoolStatistics end = gate.statistics();
      assertThat(end.inFlight()).isZero();
      assertThat(end.waiting()).isZero();
      assertThat(end.lanes()).allMatch(lane -> lane.inFlight() == 0);
      assertThat(budget.used()).isEqualTo(kept).isLessThanOrEqualTo(CAP);
      assertThat(end.granted()).isGreaterThanOrEqualTo(kept + abandoned);
    }

    private void requests(Time time, Gate gate, RandomGenerator random) {
      Priority priority = random.nextInt(4) == 0 ? Priority.BACKGROUND : Priority.STEADY;
      Run run = Run.within("run", budget).withPriority(priority);
      for (int i = 0; i < REQUESTS; i++) {
        try {
          Permit permit = acquire(time, gate, run, random);
          if (permit != null) {
            request(time, gate, permit, random);
          }
        } catch (RefusedException e) {
          pause(time, random);
        } catch (InterruptedException e) {
          pause(time, random);
        }
      }
    }

    private @Nullable Permit acquire(Time time, Gate gate, Run run, RandomGenerator random)
        throws InterruptedException {
      return switch (random.nextInt(4)) {
        case 0 -> gate.tryAcquire(run);
        case 1 -> {
          var future = gate.acquireAsync(run);
          pause(time, random);
          // Whoever cancels in vain has the permit, or a refusal.
          if (future.cancel(true) || future.isCompletedExceptionally()) {
            yield null;
          }
          yield future.join();
        }
        case 2 -> gate.acquire(run, Ask.plain().within(Duration.ofMillis(random.nextInt(3_000))));
        default -> gate.acquire(run);
      };
    }

    private void request(Time time, Gate gate, Permit permit, RandomGenerator random) {
      String lane = permit.lane();
      assertThat(told)
          .as("sent on %s at %d", lane, permit.sentAt())
          .noneMatch(hold -> hold.forbids(lane, permit.sentAt()));
      int level = level(gate, lane);
      assertThat(inFlight.merge(lane, 1, Integer::sum))
          .as("in flight on %s", lane)
          .isLessThanOrEqualTo(level);
      pause(time, random);
      inFlight.merge(lane, -1, Integer::sum);
      settle(time, permit, random);
    }

    /**
     * How many may be in flight on a lane; the most that were drawn if it was removed meanwhile.
     */
    private static int level(Gate gate, String lane) {
      return gate.statistics().lanes().stream()
          .filter(each -> each.name().equals(lane))
          .mapToInt(LaneStatistics::parallelism)
          .findFirst()
          .orElse(3);
    }

    private void settle(Time time, Permit permit, RandomGenerator random) {
      kept++;
      switch (random.nextInt(12)) {
        case 0 -> {
          Duration wait = Duration.ofMillis(1 + random.nextInt(5_000));
          told.add(new Told(permit.lane(), time.nanos(), time.nanos() + wait.toNanos()));
          permit.settle(Signal.throttled(wait));
        }
        case 1 -> permit.settle(Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR));
        case 2 -> permit.settle(Signal.rejected(Signal.Rejected.Kind.NOT_FOUND));
        case 3 -> permit.close();
        case 4 -> {
          permit.abandon();
          kept--;
          abandoned++;
        }
        default -> permit.settle(Signal.success());
      }
    }

    private static void pause(Time time, RandomGenerator random) {
      try {
        time.sleep(Duration.ofMillis(random.nextInt(1_500)));
      } catch (InterruptedException e) {
        // A caller that is interrupted in the middle of its request ends its pause early.
      }
    }
  }
}

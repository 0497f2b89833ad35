package dev.sluice.control.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DelegatingPolicyTest {
  private record Sent(long sentAt, Work work, String server) implements Attempt {}

  /** Knows what it was told, and answers with numbers of its own. */
  private record Telling(List<Object> told) implements Policy {
    @Override
    public int level(long now) {
      return (int) now + 1;
    }

    @Override
    public long notBefore(long now) {
      return now + 2;
    }

    @Override
    public void started(Attempt attempt, long now) {
      told.addAll(List.of("started", attempt, now));
    }

    @Override
    public void settled(Attempt attempt, Signal signal, long now) {
      told.addAll(List.of("settled", attempt, signal, now));
    }

    @Override
    public void abandoned(Attempt attempt, long now) {
      told.addAll(List.of("abandoned", attempt, now));
    }

    @Override
    public void held(long until) {
      told.addAll(List.of("held", until));
    }

    @Override
    public LevelSearch search(long now) {
      return LevelSearch.none((int) now + 4);
    }

    @Override
    public void reset(long now) {
      told.addAll(List.of("reset", now));
    }

    @Override
    public double rate() {
      return 3.5;
    }
  }

  private static final class Unchanged extends DelegatingPolicy {
    Unchanged(Policy policy) {
      super(policy);
    }
  }

  @Test
  void whatever_nobody_adds_to_is_left_to_the_other_policy() {
    List<Object> told = new ArrayList<>();
    Policy policy = new Unchanged(new Telling(told));
    Attempt attempt = new Sent(1, Work.UNKNOWN, "");
    Signal signal = Signal.throttled(Duration.ofSeconds(1));
    assertThat(policy.level(10)).isEqualTo(11);
    assertThat(policy.notBefore(10)).isEqualTo(12);
    assertThat(policy.rate()).isEqualTo(3.5);
    policy.started(attempt, 20L);
    policy.settled(attempt, signal, 21L);
    policy.abandoned(attempt, 22L);
    policy.held(23L);
    policy.reset(24L);
    assertThat(policy.search(10)).isEqualTo(LevelSearch.none(14));
    assertThat(told)
        .containsExactly(
            "started",
            attempt,
            20L,
            "settled",
            attempt,
            signal,
            21L,
            "abandoned",
            attempt,
            22L,
            "held",
            23L,
            "reset",
            24L);
  }
}

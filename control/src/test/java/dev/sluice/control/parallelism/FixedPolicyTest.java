package dev.sluice.control.parallelism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.control.signal.Signal;
import org.junit.jupiter.api.Test;

class FixedPolicyTest {

  @Test
  void stays_where_it_was_told_whatever_comes_back() {
    FixedPolicy policy = new FixedPolicy(7);
    Request request = new Request(0);
    policy.started(request, 0);
    policy.settled(request, Signal.throttled(), 1);
    policy.started(request, 2);
    policy.abandoned(request, 3);
    policy.held(Long.MAX_VALUE);
    assertThat(policy.level(4)).isEqualTo(7);
    policy.max(9);
    assertThat(policy.level(5)).isEqualTo(9);
  }

  @Test
  void does_not_pace() {
    FixedPolicy policy = new FixedPolicy(1);
    assertThat(policy.notBefore(-17)).isEqualTo(-17);
    assertThat(policy.rate()).isInfinite();
  }

  @Test
  void a_max_that_lets_nothing_through_is_refused_by_name() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FixedPolicy(0))
        .withMessageStartingWith("max is 0, but must be 1 or more (");
    FixedPolicy policy = new FixedPolicy(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy.max(-1))
        .withMessageStartingWith("max is -1, but must be 1 or more (");
    assertThat(policy.level(0)).isEqualTo(3);
  }
}

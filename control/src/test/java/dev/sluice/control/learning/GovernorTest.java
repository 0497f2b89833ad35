package dev.sluice.control.learning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GovernorTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Governor governor = new Governor();

  private void send(int count, long now) {
    for (int i = 0; i < count; i++) {
      governor.sent(now);
    }
  }

  @Test
  void two_may_always_be_in_flight_and_seven_of_a_hundred() {
    assertThat(governor.slots(0)).isEqualTo(2);
    send(28, 0);
    assertThat(governor.slots(0)).isEqualTo(2);
    send(15, 0);
    assertThat(governor.slots(0)).isEqualTo(3);
    send(57, 0);
    assertThat(governor.slots(0)).isEqualTo(7);
  }

  @Test
  void what_was_refused_may_not_be_in_flight_too() {
    send(100, 0);
    governor.refused(0);
    governor.refused(0);
    assertThat(governor.slots(0)).isEqualTo(5);
    for (int i = 0; i < 10; i++) {
      governor.refused(0);
    }
    assertThat(governor.slots(0)).as("one is needed to find out").isEqualTo(1);
  }

  @Test
  void one_refusal_more_than_forgiven_waits_until_the_first_is_forgotten() {
    governor.refused(SECOND);
    assertThat(governor.notBefore(SECOND)).as("a second would be forgiven").isEqualTo(SECOND);
    governor.refused(2 * SECOND);
    assertThat(governor.notBefore(3 * SECOND)).isBetween(63 * SECOND, 66 * SECOND);
    assertThat(governor.notBefore(70 * SECOND)).isEqualTo(70 * SECOND);
  }

  @Test
  void among_many_requests_more_refusals_are_forgiven() {
    send(100, SECOND);
    for (int i = 0; i < 6; i++) {
      governor.refused(SECOND);
      assertThat(governor.notBefore(SECOND)).isEqualTo(SECOND);
    }
    governor.refused(SECOND);
    assertThat(governor.notBefore(SECOND)).isGreaterThan(SECOND);
  }

  @Test
  void one_that_was_never_sent_does_not_count() {
    send(43, 0);
    governor.unsent(0);
    assertThat(governor.slots(0)).isEqualTo(2);
  }
}

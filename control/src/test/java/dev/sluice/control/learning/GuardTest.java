package dev.sluice.control.learning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GuardTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long NOW = -100 * SECOND;

  private final Guard guard = new Guard();

  private void sent(int count) {
    for (int i = 0; i < count; i++) {
      guard.sent(NOW);
    }
  }

  private void refused(int count) {
    for (int i = 0; i < count; i++) {
      guard.refused(NOW);
    }
  }

  @Test
  void nine_may_be_in_flight_whatever_was_sent() {
    assertThat(guard.slots(NOW)).isEqualTo(9);
    sent(200);
    assertThat(guard.slots(NOW)).isEqualTo(9);
  }

  @Test
  void of_many_requests_4_in_100_may_be_in_flight() {
    sent(1_000);
    assertThat(guard.slots(NOW)).isEqualTo(40);
  }

  @Test
  void each_refusal_of_the_last_minute_takes_a_place_but_the_last_one() {
    refused(4);
    assertThat(guard.slots(NOW)).isEqualTo(5);
    refused(10);
    assertThat(guard.slots(NOW)).isEqualTo(1);
    assertThat(guard.slots(NOW + 66 * SECOND)).as("a minute later").isEqualTo(9);
  }

  @Test
  void a_request_that_was_never_sent_does_not_count() {
    sent(1_000);
    assertThat(guard.reason(NOW)).isEqualTo("0 of the last 1000 requests were refused");
    for (int i = 0; i < 500; i++) {
      guard.unsent(NOW);
    }
    assertThat(guard.reason(NOW)).endsWith(" of the last 500 requests were refused");
    assertThat(guard.slots(NOW)).isEqualTo(20);
  }

  @Test
  void what_was_sent_is_forgotten_before_what_was_refused() {
    sent(1_000);
    refused(1);
    assertThat(guard.reason(NOW + 61 * SECOND)).endsWith(" of the last 0 requests were refused");
    assertThat(guard.refusals(NOW + 61 * SECOND)).isEqualTo(1);
  }

  @Test
  void probes_wait_while_nine_refusals_are_remembered_and_other_requests_do_not() {
    sent(9);
    refused(8);
    assertThat(guard.notBefore(true, false, NOW)).isEqualTo(NOW);
    refused(1);
    assertThat(guard.notBefore(true, false, NOW)).isBetween(NOW + 60 * SECOND, NOW + 66 * SECOND);
    assertThat(guard.notBefore(false, false, NOW)).isEqualTo(NOW);
  }

  @Test
  void after_a_told_wait_a_few_refusals_of_many_requests_stop_nothing() {
    sent(170);
    refused(9);
    assertThat(guard.notBefore(true, true, NOW)).as("10 of 171 if refused").isEqualTo(NOW);
    assertThat(guard.notBefore(true, false, NOW)).as("where no wait is told").isGreaterThan(NOW);
    refused(2);
    assertThat(guard.notBefore(true, true, NOW)).as("12 of 171 if refused").isGreaterThan(NOW);
  }

  @Test
  void nothing_is_sent_when_one_more_refusal_could_be_a_tenth() {
    sent(110);
    refused(10);
    assertThat(guard.notBefore(false, false, NOW))
        .as("10 of 111")
        .isBetween(NOW + 60 * SECOND, NOW + 66 * SECOND);
    guard.sent(NOW);
    assertThat(guard.notBefore(false, false, NOW)).as("10 of 112").isEqualTo(NOW);
  }
}

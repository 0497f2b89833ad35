package dev.sluice.control.learning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CapTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Cap cap = new Cap();
  private long now = -500 * SECOND;

  /** So many grants with all places taken, evenly over this time. */
  private void grant(int count, double seconds) {
    grant(count, seconds, cap.value());
  }

  private void grant(int count, double seconds, int inFlight) {
    for (int i = 0; i < count; i++) {
      now += (long) (seconds * SECOND / count);
      cap.granted(inFlight, now);
    }
  }

  private void set(int to) {
    cap.set(to, now);
  }

  @Test
  void it_is_believed_after_ten_grants_for_each_place() {
    set(5);
    grant(49, 10);
    assertThat(cap.isBelieved()).isFalse();
    grant(1, 1);
    assertThat(cap.isBelieved()).isTrue();
    set(4);
    assertThat(cap.isBelieved()).as("another one is not").isFalse();
  }

  @Test
  void a_tenth_more_is_tried_after_a_minute_and_20_grants_for_each_place() {
    set(20);
    grant(1_000, 59);
    assertThat(cap.value()).isEqualTo(20);
    grant(20, 2);
    assertThat(cap.value()).isEqualTo(22);
    set(5);
    grant(99, 100);
    assertThat(cap.value()).isEqualTo(5);
    grant(1, 1);
    assertThat(cap.value()).as("one at least").isEqualTo(6);
  }

  @Test
  void nothing_is_tried_if_places_are_free() {
    set(5);
    grant(1_000, 70, 3);
    assertThat(cap.value()).isEqualTo(5);
  }

  @Test
  void a_trial_that_lets_more_through_is_the_new_cap() {
    set(5);
    grant(600, 60.5); // 10 a second
    assertThat(cap.value()).isEqualTo(6);
    grant(120, 10.5);
    assertThat(cap.value()).as("and at once more is tried").isEqualTo(7);
    assertThat(cap.refused(now)).isTrue();
    assertThat(cap.value()).isEqualTo(6);
  }

  @Test
  void a_trial_that_lets_no_more_through_is_taken_back_and_repeated_later() {
    set(5);
    grant(600, 60.5);
    assertThat(cap.value()).isEqualTo(6);
    grant(130, 13); // 10 a second still
    assertThat(cap.value()).isEqualTo(5);
    grant(1_000, 100);
    assertThat(cap.value()).as("after two minutes").isEqualTo(5);
    grant(300, 30);
    assertThat(cap.value()).isEqualTo(6);
  }

  @Test
  void a_refused_trial_is_taken_back() {
    set(5);
    assertThat(cap.refused(now)).as("nothing is tried").isFalse();
    grant(600, 60.5);
    assertThat(cap.isBelieved()).as("what was good is").isTrue();
    assertThat(cap.refused(now)).isTrue();
    assertThat(cap.value()).isEqualTo(5);
    assertThat(cap.refused(now)).isFalse();
  }
}

package dev.sluice.control.pacing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HoldTest {

  @ParameterizedTest
  @ValueSource(longs = {0, -1_000, Long.MAX_VALUE - 5, Long.MIN_VALUE})
  void nothing_is_sent_before_its_end_and_its_end_is_free(long now) {
    Hold hold = Hold.endedAt(now);
    assertThat(hold.isActive(now)).isFalse();
    assertThat(hold.remaining(now)).isZero();

    hold.extendTo(now + 10);
    assertThat(hold.until()).isEqualTo(now + 10);
    assertThat(hold.isActive(now + 9)).isTrue();
    assertThat(hold.remaining(now + 9)).isEqualTo(1);
    assertThat(hold.isActive(now + 10)).isFalse();
    assertThat(hold.remaining(now + 11)).isZero();
  }

  @Test
  void a_shorter_hold_never_shortens_a_longer_one() {
    Hold hold = Hold.endedAt(0);
    hold.extendTo(100);
    hold.extendTo(50);
    assertThat(hold.until()).isEqualTo(100);
    hold.extendTo(101);
    assertThat(hold.until()).isEqualTo(101);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -5, Long.MIN_VALUE, Long.MAX_VALUE - 1})
  void a_hold_without_an_end_outlasts_every_other_until_it_is_lifted(long now) {
    Hold hold = Hold.endedAt(now);
    hold.extendTo(Hold.NEVER);
    hold.extendTo(now + 10);
    assertThat(hold.until()).isEqualTo(Hold.NEVER);
    assertThat(hold.isActive(now)).isTrue();
    assertThat(hold.isActive(now + Long.MAX_VALUE)).isTrue();
    assertThat(hold.remaining(now)).isEqualTo(Hold.NEVER);

    hold.lift(now + 3);
    assertThat(hold.isActive(now + 3)).isFalse();
    hold.extendTo(now + 7);
    assertThat(hold.remaining(now + 3)).isEqualTo(4);
  }
}

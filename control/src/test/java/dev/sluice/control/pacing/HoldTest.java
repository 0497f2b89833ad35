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

    hold.extendTo(now + 10);
    assertThat(hold.until()).isEqualTo(now + 10);
    assertThat(hold.isActive(now + 9)).isTrue();
    assertThat(hold.isActive(now + 10)).isFalse();
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
}

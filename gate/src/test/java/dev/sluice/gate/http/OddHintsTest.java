package dev.sluice.gate.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class OddHintsTest {

  @Test
  void what_is_odd_is_told_once_for_every_lane_and_flag() {
    OddHints odd = new OddHints();
    assertThat(odd.news("a", Set.of())).isEmpty();
    assertThat(odd.news("a", Set.of(Flag.HINT_MALFORMED))).containsExactly(Flag.HINT_MALFORMED);
    assertThat(odd.news("a", Set.of(Flag.HINT_MALFORMED))).isEmpty();
    assertThat(odd.news("a", Set.of(Flag.HINT_MALFORMED, Flag.CLOCK_SKEW)))
        .containsExactly(Flag.CLOCK_SKEW);
    assertThat(odd.news("b", Set.of(Flag.HINT_MALFORMED))).containsExactly(Flag.HINT_MALFORMED);
  }
}

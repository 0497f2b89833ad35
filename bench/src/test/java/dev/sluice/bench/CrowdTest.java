package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.Ask;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A crowd checks itself on its way out: order and pace, caller by caller. */
class CrowdTest {
  private static final double KILOBYTE = 1024;

  @ParameterizedTest
  @MethodSource("asks")
  void a_crowd_is_let_through_in_its_order_at_the_pace_for_less_than_a_kilobyte_each(Ask ask) {
    assertThat(Crowd.released(100_000, ask).bytesEach()).isBetween(1.0, KILOBYTE);
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("asks")
  void a_million_callers_are_let_through_in_their_order_at_the_pace_for_less_than_a_kilobyte_each(
      Ask ask) {
    assertThat(Crowd.released(1_000_000, ask).bytesEach()).isBetween(1.0, KILOBYTE);
  }

  static Stream<Ask> asks() {
    return Stream.of(Ask.patient(), Ask.plain().within(Duration.ofDays(1)));
  }
}

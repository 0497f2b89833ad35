package dev.sluice.gate.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {

  @ParameterizedTest
  @CsvSource({
    "load,    load,    0",
    "lod,     load,    1", // too few
    "lloadd,  load,    2", // too many
    "loaf,    load,    1", // wrong
    "laod,    load,    1", // exchanged
    "ab,      cd,      2",
    "collect, '',      7",
    "'',      collect, 7"
  })
  void slips_are_counted_the_same_in_both_directions(String one, String other, int slips) {
    assertThat(Spelling.slips(one, other)).isEqualTo(slips);
    assertThat(Spelling.slips(other, one)).isEqualTo(slips);
  }

  @Test
  void of_two_words_within_reach_the_nearer_one_was_meant() {
    assertThat(Spelling.closest("colect", List.of("connect", "collect"))).hasValue("collect");
  }

  @Test
  void what_resembles_nothing_was_not_a_slip() {
    assertThat(Spelling.closest("zzzz", List.of("load", "help"))).isEmpty();
    assertThat(Spelling.closest("zz", List.of())).isEmpty();
  }
}

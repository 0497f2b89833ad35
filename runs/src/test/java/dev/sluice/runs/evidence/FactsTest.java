package dev.sluice.runs.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.WireName;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.run.Reason;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FactsTest {
  /** A word of anybody's. */
  private record Odd(String name, String wireName) implements WireName {}

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "https://api.example.com/issues?page=3",
        "api.example.com",
        "alice@example.com",
        "/repos/alice/secret",
        "Bearer abc",
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "0b1f7c1e",
        "two words",
        "a=b",
        "a\nb",
        "Upper",
        "_",
        "a__b",
        "trailing_",
        "abcdefghijklmnopqrstuvwxyzabcdefg"
      })
  void no_address_id_or_credential_is_a_word(String text) {
    for (Fact fact : Fact.values()) {
      assertThat(fact.fits(text)).as(fact.name()).isFalse();
    }
    assertThatThrownBy(() -> Facts.NONE.with(Fact.REASON, new Odd("ODD", text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be a word");
    assertThat(Facts.NONE.withStream(text)).hasToString("stream=unnamed");
  }

  @Test
  void every_word_that_the_program_has_for_a_fact_fits() {
    Stream.<WireName[]>of(
            CircuitState.values(),
            CircuitTransition.Trigger.values(),
            CircuitTransition.Reason.values(),
            Signal.Stopped.Reason.values(),
            Mode.values(),
            Fact.values(),
            Evidence.Kind.values())
        .flatMap(Stream::of)
        .forEach(word -> assertThat(Fact.isWord(word.wireName())).as(word.name()).isTrue());
    Stream.<Reason[]>of(Reason.Planned.values(), Reason.Pressure.values(), Reason.Failure.values())
        .flatMap(Stream::of)
        .forEach(reason -> assertThat(Fact.REASON.fits(reason.wireName())).isTrue());
  }

  @Test
  void numbers_are_whole_and_not_negative_and_words_are_no_numbers() {
    assertThat(Facts.NONE.with(Fact.COUNT, 0)).hasToString("count=0");
    assertThatThrownBy(() -> Facts.NONE.with(Fact.COUNT, -1)).hasMessageContaining("count is '-1'");
    assertThatThrownBy(() -> Facts.NONE.with(Fact.REASON, 7)).hasMessageContaining("a word");
    assertThatThrownBy(() -> Facts.NONE.with(Fact.COUNT, CircuitState.OPEN))
        .hasMessageContaining("a number");
    for (String text : new String[] {"", "+1", "01", "1.5", "x", "99999999999999999999"}) {
      assertThat(Fact.COUNT.fits(text)).as(text).isFalse();
    }
  }

  @Test
  void the_longest_span_is_as_long_as_a_number_can_be() {
    assertThat(Facts.NONE.with(Fact.HELD_MS, Duration.ofSeconds(Long.MAX_VALUE)))
        .hasToString("held_ms=" + Long.MAX_VALUE);
  }

  @Test
  void facts_do_not_change_when_others_are_made_of_them() {
    Facts one = Facts.NONE.withStream("issues");
    Facts two = one.with(Reason.Planned.REQUEST_CAP);
    assertThat(one).hasToString("stream=issues");
    assertThat(two).hasToString("reason=request_cap stream=issues");
    assertThat(Facts.NONE).hasToString("");
  }

  @Test
  void there_is_no_way_to_add_free_text_but_a_streams_name() {
    assertThat(
            Stream.of(Facts.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .filter(method -> Stream.of(method.getParameterTypes()).anyMatch(FactsTest::isText))
                .map(Method::getName))
        .containsExactly("withStream");
  }

  private static boolean isText(Class<?> type) {
    return type.isAssignableFrom(String.class);
  }
}

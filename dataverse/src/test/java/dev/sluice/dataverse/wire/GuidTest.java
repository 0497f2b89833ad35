package dev.sluice.dataverse.wire;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuidTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "me", "1-1-1-1-1", "{6f1a3c52-0b7e-4d1c-9a55-2f8d0c4b7e10}"})
  void an_id_has_its_form(String text) {
    assertThatThrownBy(() -> Guid.of("caller", text, "whose rows"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "caller is '%s', but must be an id such as 6f1a3c52-0b7e-4d1c-9a55-2f8d0c4b7e10 (whose rows)",
            text);
  }
}

package dev.sluice.collect.yaml.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CursorTypeTest {

  @ParameterizedTest
  @CsvSource({
    "INSTANT, 2024-05-02T09:00:00Z, 2024-05-02T09:00:00.001Z",
    "INSTANT, 2024-05-02T11:00:00+02:00, 2024-05-02T09:00:01Z",
    "DATE, 2024-05-02, 2024-05-03",
    "EPOCH_SECONDS, 999999999, 1714640400",
    "EPOCH_SECONDS, 1714640400, 1714640400.5",
    "EPOCH_MILLIS, 999999999999, 1714640400000",
    "INT, 9, 10",
    "INT, 99999999999999999998, 99999999999999999999",
    "TEXT, a, b",
  })
  void values_sort_as_texts_once_they_are_made_sortable(CursorType type, String less, String more) {
    assertThat(type.sortable(less)).isLessThan(type.sortable(more));
    assertThat(type.compare(less, more)).isNegative();
    assertThat(type.compare(more, more)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "INSTANT, 2024-05-02T11:00:00+02:00, 2024-05-02T08:59:50Z",
    "EPOCH_SECONDS, 1714640400, 1714640390",
    "EPOCH_MILLIS, 1714640400500, 1714640390500",
    "DATE, 2024-05-02, 2024-05-01",
  })
  void an_overlap_goes_back_in_the_same_form(CursorType type, String value, String before) {
    assertThat(type.before(value, Optional.of(Duration.ofSeconds(10)))).isEqualTo(before);
    assertThat(type.before(value, Optional.empty())).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "INSTANT, soon",
    "INSTANT, 1714640400",
    "DATE, 2024-13-01",
    "EPOCH_SECONDS, 1e9",
    "INT, -1",
    "INT, 1.5"
  })
  void a_value_of_another_type_is_refused(CursorType type, String value) {
    assertThatThrownBy(() -> type.sortable(value)).isInstanceOf(IllegalArgumentException.class);
  }
}

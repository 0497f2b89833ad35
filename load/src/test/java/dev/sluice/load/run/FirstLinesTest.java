package dev.sluice.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.dataverse.message.RecordKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class FirstLinesTest {
  private static final int MANY = 200_000;

  private static List<RecordKey.Alternate> keys(String... values) {
    return List.of(values).stream()
        .map(value -> new RecordKey.Alternate("accountnumber='" + value + "'"))
        .toList();
  }

  @Test
  void the_first_of_many_is_found_and_a_key_that_came_once_has_no_other() {
    FirstLines lines = new FirstLines();
    for (int i = 0; i < MANY; i++) {
      lines.add(keys("K" + i % (MANY / 2)), i + 2);
    }
    for (int i = 0; i < MANY / 2; i += 777) {
      assertThat(lines.before(keys("k" + i), MANY / 2 + i + 2)).hasValue(i + 2);
      assertThat(lines.before(keys("k" + i), i + 2)).isEmpty();
    }
    assertThat(lines.before(keys("none"), MANY)).isEmpty();
  }

  @Test
  void of_several_keys_the_first_line_with_any_of_them_is_told() {
    FirstLines lines = new FirstLines();
    lines.add(keys("A", "x"), 2);
    lines.add(keys("B", "y"), 3);
    assertThat(lines.before(keys("b", "X"), 4)).hasValue(2);
  }
}

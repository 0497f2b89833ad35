package dev.sluice.load.input;

import static dev.sluice.load.input.Reading.open;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChainTest {

  @ParameterizedTest
  @ValueSource(strings = {"a.csv", "a.jsonl"})
  void a_chain_speaks_of_the_records_handed_out_so_far_and_of_no_others(String name)
      throws IOException {
    String row = name.endsWith("csv") ? "1%s,2\n" : "{\"a\":\"1%s\"}\n";
    List<Long> before = chains(name, "a,b\n".repeat(1) + row.repeat(9).formatted(numbers(9)));
    List<Long> after = chains(name, "a,b\n" + row.repeat(9).formatted(numbers(5)));
    assertThat(before).hasSameSizeAs(after).doesNotHaveDuplicates();
    int changed = before.size() - 4;
    assertThat(after.subList(0, changed)).isEqualTo(before.subList(0, changed));
    assertThat(after.subList(changed, after.size()))
        .doesNotContainAnyElementsOf(before.subList(changed, before.size()));
  }

  /** Nine of them, of which those from the given one on are negative. */
  private static Object[] numbers(int changed) {
    Object[] numbers = new Object[9];
    for (int i = 0; i < 9; i++) {
      numbers[i] = i < changed ? i : -i;
    }
    return numbers;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '/',
      value = {
        "ab,c / a,bc", // cells
        "a,b / a,b,", // one more
        "a,bcde / a,bcdf", // last character of a word
        "a,bcdef / a,bcdeg", // rest
        "a,b / A,b",
        "a, / ,a",
        "'a,\"b\nc\"' / 'a,b\nc,'" // rows
      })
  void whatever_changes_changes_the_chain(String one, String other) throws IOException {
    assertThat(last("x,y\n" + one)).isNotEqualTo(last("x,y\n" + other));
  }

  @Test
  void a_changed_header_changes_the_chain() throws IOException {
    assertThat(last("x,y\n1,2")).isNotEqualTo(last("y,x\n1,2"));
  }

  @Test
  void encoding_delimiter_quotes_and_line_ends_do_not() throws IOException {
    List<Long> plain = chains("a.csv", "a,b\né,2\n");
    assertThat(chains("a.csv", "a;b\r\n\"é\";\"2\"\r\n")).isEqualTo(plain);
    try (RecordReader reader =
        open(
            "a.csv",
            "a,b\né,2\n".getBytes(ISO_8859_1),
            InputOptions.DEFAULTS.withEncoding(ISO_8859_1))) {
      assertThat(chains(reader)).isEqualTo(plain);
    }
  }

  @Test
  void a_chain_is_the_same_in_every_process() throws IOException {
    assertThat(last("name,city\nContoso,Rome\n")).isEqualTo(-321623451281749908L);
  }

  private static long last(String csv) throws IOException {
    List<Long> chains = chains("a.csv", csv);
    return chains.get(chains.size() - 1);
  }

  private static List<Long> chains(String name, String text) throws IOException {
    try (RecordReader reader = open(name, text)) {
      return chains(reader);
    }
  }

  private static List<Long> chains(RecordReader reader) throws IOException {
    List<Long> chains = new ArrayList<>(List.of(reader.chain()));
    while (reader.next() != null) {
      chains.add(reader.chain());
    }
    return chains;
  }
}

package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BookmarkWordsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "2026-01-01T00:00:00Z | from 2026-01-01T00:00:00Z",
        "{\"at\":\"2026\",\"page\":\"tok\",\"seen\":\"2027\",\"pages\":3} | in the middle of a"
            + " list, since 2026",
        "{\"page\":\"https://a.example/?p=2\",\"pages\":1} | in the middle of a list",
        "{\"at\":\"2026-01-01\",\"page\":\"2026-01-08\",\"pages\":0} | from 2026-01-08",
        "{\"its\":\"own\"} | from {\"its\":\"own\"}",
        "{no JSON | from {no JSON",
      })
  void a_bookmark_is_told_in_words_where_it_has_a_form_that_is_known(
      String bookmark, String words) {
    assertThat(BookmarkWords.of(bookmark)).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource({"60, ''", "61, …"})
  void a_long_one_is_cut(int length, String end) {
    assertThat(BookmarkWords.of("x".repeat(length))).isEqualTo("from " + "x".repeat(60) + end);
  }
}

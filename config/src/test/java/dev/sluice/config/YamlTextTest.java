package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlTextTest {
  @TempDir Path folder;

  @Test
  void every_node_knows_its_line_and_scalars_stay_as_they_were_written() throws Exception {
    assertThat(
            YamlText.parse(
                "a.yaml",
                """
                # a comment
                country: NO
                since: 2022-11-28
                list:
                  - 7
                  - "8"
                none: null
                """))
        .isEqualTo(
            new Node.Mapping(
                2,
                List.of(
                    new Node.Entry(2, "country", new Node.Scalar(2, "NO", false)),
                    new Node.Entry(3, "since", new Node.Scalar(3, "2022-11-28", false)),
                    new Node.Entry(
                        4,
                        "list",
                        new Node.Sequence(
                            4,
                            List.of(
                                new Node.Scalar(5, "7", true), new Node.Scalar(6, "8", false)))),
                    new Node.Entry(7, "none", new Node.Nothing(7)))));
  }

  @Test
  void json_is_yaml() throws Exception {
    assertThat(YamlText.parse("a.json", "{\n\"A\": {\"B\": true}}"))
        .isEqualTo(
            new Node.Mapping(
                1,
                List.of(
                    new Node.Entry(
                        2,
                        "A",
                        new Node.Mapping(
                            2,
                            List.of(new Node.Entry(2, "B", new Node.Scalar(2, "true", true))))))));
  }

  @ParameterizedTest(name = "[{index}] line {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a:\\n\\tb: 1                   | 2 | this cannot be read as YAML
          a: [x                          | 1 | this cannot be read as YAML
          a: x\\n---\\nb: y              | 3 | a second document begins here
          a: &x y\\nb: *x                | 2 | *x refers to something written elsewhere
          """)
  void what_cannot_be_read_is_refused_with_its_line(String text, int line, String says) {
    assertThatThrownBy(
            () -> YamlText.parse("a.yaml", text.replace("\\n", "\n").replace("\\t", "\t")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("a.yaml:" + line + ": " + says);
  }

  @Test
  void what_cannot_be_read_is_not_quoted_for_it_may_be_a_secret() {
    assertThatThrownBy(() -> YamlText.parse("a.yaml", "a: {b: 1\nsecret: hunter2\n"))
        .hasMessageStartingWith("a.yaml:2: ")
        .message()
        .doesNotContain("hunter2");
  }

  @Test
  void nobody_nests_this_deep_by_hand() throws Exception {
    assertThat(YamlText.parse("a.yaml", "[".repeat(32) + "]".repeat(32))).isNotNull();
    assertThatThrownBy(() -> YamlText.parse("a.yaml", "[".repeat(34) + "]".repeat(34)))
        .hasMessage("a.yaml:1: this is nested more than 32 levels deep");
  }

  @Test
  void a_file_is_refused_if_it_is_too_large_not_there_or_not_in_utf_8() throws Exception {
    Path large = Files.writeString(folder.resolve("large.yaml"), " ".repeat(1024 * 1024 + 1));
    assertThatThrownBy(() -> YamlText.read(large, "mapping file"))
        .hasMessage(
            "the mapping file %s cannot be read: it is larger than 1 MiB, which is the most that is read; is it the right file?"
                .formatted(large));
    Path gone = folder.resolve("gone.yaml");
    assertThatThrownBy(() -> YamlText.read(gone, "mapping file"))
        .hasMessage("there is no mapping file " + gone);
    Path latin = Files.write(folder.resolve("latin.yaml"), new byte[] {'a', ':', (byte) 0xe9});
    assertThatThrownBy(() -> YamlText.read(latin, "mapping file"))
        .hasMessage(latin + " is not UTF-8; save it as such");
  }
}

package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SectionTest {

  private enum Fruit {
    APPLE,
    BLOOD_ORANGE
  }

  @Test
  void what_nobody_asked_for_is_not_known_and_its_neighbour_is_suggested() throws Exception {
    assertThat(
            mistakes(
                "a: 1\nnmae: x\nzebra: y",
                section -> {
                  assertThat(section.text("name")).isEmpty();
                  assertThat(section.integer("a")).contains(1);
                }))
        .containsExactly(
            "a.yaml:2: nmae is not known; did you mean name?",
            "a.yaml:3: zebra is not known; one of name, a is expected");
  }

  @Test
  void a_duplicate_key_is_told_with_both_lines() throws Exception {
    assertThat(mistakes("a: 1\nb: 2\na: 3", section -> section.names().forEach(section::text)))
        .containsExactly("a.yaml:3: a is a duplicate key, already in line 1; remove one");
  }

  @Test
  void every_mistake_is_told_once_in_the_order_of_lines() throws Exception {
    assertThat(
            mistakes(
                "number: x\nflag: maybe\nfruit: aple\nwait: soon\ngroup: 1\nlist: [1, {a: 1}]",
                section -> {
                  assertThat(section.list("list", Integer::valueOf)).containsExactly(1);
                  assertThat(section.section("group").map(Section::names)).contains(List.of());
                  for (int i = 0; i < 2; i++) {
                    assertThat(section.duration("wait")).isEmpty();
                    assertThat(section.word("fruit", Fruit.class)).isEmpty();
                    assertThat(section.flag("flag")).isEmpty();
                    assertThat(section.integer("number", 1, 9_999)).isEmpty();
                  }
                }))
        .containsExactly(
            "a.yaml:1: number is 'x', but a whole number from 1 to 9,999 is expected",
            "a.yaml:2: flag is 'maybe', but true or false is expected",
            "a.yaml:3: fruit is 'aple', which is not known; did you mean apple?",
            "a.yaml:4: wait is 'soon', but a time such as 500ms, 30s, 5m, 1h30m or 2d is expected",
            "a.yaml:5: group is a single value, but a group of keys is expected",
            "a.yaml:6: list is a group of keys, but single values are expected");
  }

  @Test
  void a_reader_tells_what_is_expected_and_why() throws Exception {
    assertThat(
            mistakes(
                "a: x\nb: y\nc: [z]\nd: 1",
                section -> {
                  section.read("a", "a hat", SectionTest::tooSmall);
                  section.read("b", "a number", Integer::valueOf);
                  section.read("c", "a hat", SectionTest::tooSmall);
                  section.integer("d", 2, 3);
                }))
        .containsExactly(
            "a.yaml:1: a is 'x', but a hat is expected (it is too small)",
            "a.yaml:2: b is 'y', but a number is expected",
            "a.yaml:3: c is a list, but a hat is expected",
            "a.yaml:4: d is '1', but a whole number from 2 to 3 is expected");
  }

  private static String tooSmall(String text) {
    throw new IllegalArgumentException("it is too small");
  }

  @Test
  void braces_without_quotes_are_told_with_the_quotes() throws Exception {
    assertThat(mistakes("token: {config.token}", section -> section.text("token")))
        .containsExactly(
            "a.yaml:1: token is a group of keys, but a single value is expected; did you mean"
                + " \"{config.token}\", with quotes?");
  }

  @Test
  void what_must_be_there_is_missing_where_it_should_stand() throws Exception {
    assertThat(
            mistakes(
                "group: {}",
                section -> {
                  section.required("name", "what it is called");
                  section.requiredSection("more", "the rest");
                  section.section("group").ifPresent(group -> group.required("b", "a letter"));
                  section.onlyOne(List.of("x", "y"), "no way out");
                }))
        .containsExactly(
            "a.yaml:1: name is missing (what it is called)",
            "a.yaml:1: more is missing (the rest)",
            "a.yaml:1: group.b is missing (a letter)",
            "a.yaml:1:  has no way out, but one of x, y is expected");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bloodOrange: blood-orange\nwaitTime: 5M",
        "BLOOD_ORANGE: BloodOrange\nWait-Time: 00:05:00\nother:",
        "{\"BloodOrange\": \"BLOOD_ORANGE\", \"Other\": null, \"WaitTime\": \"PT5M\"}",
        "orange: ${FRUIT}\nwaitTime: 5m"
      })
  void settings_are_in_any_case_style_null_is_left_out_and_variables_are_filled_in(String text)
      throws Exception {
    Reading reading = settings();
    try (Section section = Section.of(text, reading)) {
      section.alias("bloodOrange", "orange");
      assertThat(section.word("bloodOrange", Fruit.class)).contains(Fruit.BLOOD_ORANGE);
      assertThat(section.duration("waitTime")).contains(Duration.ofMinutes(5));
      assertThat(section.text("other")).isEmpty();
    }
    assertThat(reading.mistakes()).isEmpty();
  }

  @Test
  void a_variable_that_is_filled_in_is_never_quoted() throws Exception {
    Reading reading = settings();
    Section section = Section.of("count: ${TOKEN}\nfile: ${NOWHERE}", reading);
    assertThat(section.integer("count")).isEmpty();
    assertThat(section.file("file")).isEmpty();
    assertThat(reading.mistakes())
        .containsExactly(
            "a.yaml:1: count is '${TOKEN}', but a whole number is expected",
            "a.yaml:2: file comes from the environment variable NOWHERE, but that is not set;"
                + " export NOWHERE=… sets it");
  }

  @Test
  void the_items_of_settings_are_called_by_their_names_or_numbers() throws Exception {
    assertThat(
            Section.of("all: [{name: x}, {b: 1}]", settings()).sections("all").stream()
                .map(Section::path))
        .containsExactly("all[x]", "all[2]");
    assertThat(
            Section.of("all: [{name: x}, {b: 1}]", Reading.of("a.yaml", SectionTest::closest))
                .sections("all")
                .stream()
                .map(Section::path))
        .containsExactly("all[0]", "all[1]");
  }

  @Test
  void options_that_refuse_a_value_are_blamed_on_its_key_in_the_words_of_the_file()
      throws Exception {
    Reading reading = settings();
    Section section = Section.of("pool:\n  readTimeout: 90m", reading).sectionOrEmpty("pool");
    section.duration("readTimeout");
    assertThat(
            section.build(
                () -> refuse("pool.readTimeout is PT1H30M, but must be at most PT1H (how long)")))
        .isEmpty();
    assertThat(section.build(() -> refuse("all of it is wrong"))).isEmpty();
    assertThat(reading.mistakes())
        .containsExactly(
            "a.yaml:1: pool: all of it is wrong",
            "a.yaml:2: pool.readTimeout is 90m, but must be at most 1h (how long)");
  }

  private static String refuse(String message) {
    throw new IllegalArgumentException(message);
  }

  private static Reading settings() {
    return Reading.ofSettings(
        Path.of("a.yaml"), Map.of("FRUIT", "BloodOrange", "TOKEN", "s3cret"), SectionTest::closest);
  }

  private static List<String> mistakes(String text, Consumer<Section> read) throws Exception {
    Reading reading = Reading.of("a.yaml", SectionTest::closest);
    try (Section section = Section.of(text, reading)) {
      read.accept(section);
    }
    return reading.mistakes();
  }

  /** The one of as many letters, or one more, with the same beginning. */
  private static Optional<String> closest(String typed, Collection<String> known) {
    return known.stream()
        .filter(
            word ->
                word.charAt(0) == typed.charAt(0) && Math.abs(word.length() - typed.length()) < 2)
        .findFirst();
  }
}

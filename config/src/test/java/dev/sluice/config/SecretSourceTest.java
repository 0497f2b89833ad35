package dev.sluice.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretSourceTest {
  private static final String SECRET = "s3cr3t~value";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "secret: {env: APP}",
        "secret: ${APP}",
        "Secret: ${ APP }",
        "secret: {file: app.secret}",
        "secretFile: app.secret",
        "secret_file: ./app.secret"
      })
  void a_secret_comes_from_a_variable_or_a_file_when_it_is_needed(String text) throws Exception {
    Reading reading = reading();
    Optional<SecretSource> source = SecretSource.read(Section.of(text, reading), "secret");
    reading.check();
    Files.writeString(folder.resolve("app.secret"), SECRET + "\n");
    assertThat(source.flatMap(where -> where.fetch(reading))).contains(SECRET);
    assertThat(reading.mistakes()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "secret: s3cr3t~value          | secret is written into this file, but must come from",
        "secret: [s3cr3t~value]        | secret is written into this file, but must come from",
        "{secret: {env: A, file: b}}   | secret must have one of env (",
        "{secret: {enf: s3cr3t~value}} | secret.enf is not known",
        "{secret: '${A}', secretFile: b} | secret and secretFile are both given; remove one",
      })
  void a_secret_in_the_file_or_said_twice_is_refused_and_never_quoted(String text, String says)
      throws Exception {
    Reading reading = reading();
    Optional<SecretSource> unused = SecretSource.read(Section.of(text, reading), "secret");
    assertThat(reading.mistakes())
        .anyMatch(mistake -> mistake.contains(":1: " + says))
        .noneMatch(mistake -> mistake.contains(SECRET));
  }

  @Test
  void what_is_not_there_is_told_when_it_is_fetched() throws Exception {
    Files.writeString(folder.resolve("empty"), " \n");
    Reading reading = reading();
    for (String text :
        List.of(
            "secret: {env: GONE}",
            "secret: {env: BLANK}",
            "secret: {env: s3cr3t~value}",
            "secretFile: gone",
            "secretFile: empty")) {
      SecretSource source = SecretSource.read(Section.of(text, reading), "secret").orElseThrow();
      reading.check();
      Reading later = reading.again();
      assertThat(source.fetch(later)).isEmpty();
      assertThat(later.mistakes())
          .singleElement()
          .asString()
          .startsWith(reading.file() + ":1: secret")
          .doesNotContain(SECRET);
    }
  }

  @Test
  void where_a_value_may_stand_in_the_file_it_is_not_printed() throws Exception {
    Reading reading = reading();
    Section section = Section.of("a: s3cr3t~value\nb: ${APP}\nc: null\nd: [1]", reading);
    List<Optional<String>> values =
        section.entries().stream()
            .map(entry -> SecretSource.orWritten(section, entry))
            .peek(source -> assertThat(source.toString()).doesNotContain(SECRET))
            .map(source -> source.flatMap(where -> where.fetch(reading)))
            .toList();
    assertThat(values)
        .containsExactly(
            Optional.of(SECRET), Optional.of(SECRET), Optional.of(""), Optional.empty());
    assertThat(reading.mistakes())
        .containsExactly(reading.file() + ":4: d is a list, but a text is expected");
  }

  private Reading reading() {
    return Reading.ofSettings(
        folder.resolve("a.yaml"),
        Map.of("APP", SECRET, "BLANK", " "),
        (typed, known) -> Optional.empty());
  }
}

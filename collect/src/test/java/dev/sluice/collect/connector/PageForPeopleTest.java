package dev.sluice.collect.connector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which answers are pages for people, and how much is said of them. */
class PageForPeopleTest {
  private static final WebRequest ASKED = asked("key=s3cret");

  private static WebRequest asked(String query, String... headers) {
    return new WebRequest(
        "GET",
        URI.create("https://api.example/v2/items?" + query),
        List.of(headers),
        new byte[0],
        Duration.ofSeconds(30));
  }

  private static Optional<String> in(String type, String body) {
    return in(ASKED, type, body);
  }

  private static Optional<String> in(WebRequest asked, String type, String body) {
    return PageForPeople.in(
        asked,
        new WebAnswer(
            200,
            HttpHeaders.of(Map.of("Content-Type", List.of(type)), (name, value) -> true),
            body.getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @CsvSource({
    "Authorization, Bearer SECRETVAL, no Bearer SECRETVAL, no ***",
    "Authorization, Bearer SECRETVAL, no secretval here, no *** here",
    "Authorization, Basic bWU6U0VDUkVUVkFM, Wrong password SECRETVAL, Wrong password ***",
    "X-Api-Key, SECRETVAL, Unknown SECRETVAL, Unknown ***",
  })
  void of_what_the_request_carried_a_title_shows_nothing(
      String header, String value, String title, String shown) {
    String page = "<html><title>%s</title></html>".formatted(title);
    assertThat(in(asked("page=2", header, value), "text/html", page))
        .hasValueSatisfying(
            words ->
                assertThat(words)
                    .contains("titled '%s'".formatted(shown))
                    .doesNotContainIgnoringCase("secretval"));
  }

  @Test
  void a_secret_of_the_query_is_not_shown_if_a_title_quotes_the_address() {
    assertThat(
            in(
                asked("api_key=SECRET%20VAL"),
                "text/html",
                "<title>Not found: /items?api_key=SECRET%20VAL or SECRET VAL</title>"))
        .hasValueSatisfying(
            words -> assertThat(words).contains("titled 'Not found: /items?api_key=*** or ***'"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[\"<html>\"]", "", "<items><item/></items>", "<htmlish/>"})
  void data_is_none(String body) {
    assertThat(in("application/json", body)).isEmpty();
  }

  @Test
  void data_that_calls_itself_a_page_is_none() {
    assertThat(in("text/html", " {\"access_token\": \"t\"}")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>", " \n<!doctype HTML>", "<?xml version='1.0'?><html lang='en'>"})
  void what_begins_like_one_is_one_whatever_it_says_it_is(String body) {
    assertThat(in("application/json", body)).isPresent();
  }

  @Test
  void neither_path_nor_query_nor_body_is_shown_and_of_the_title_no_long_word() {
    String token = "0123456789abcdef0123456789abcdef";
    assertThat(
            in("text/html", "<title>Session %s\n expired</title><p>private</p>".formatted(token)))
        .hasValueSatisfying(
            words ->
                assertThat(words)
                    .contains("api.example answered", "titled 'Session … expired'")
                    .doesNotContain("items")
                    .doesNotContain("s3cret")
                    .doesNotContain("private")
                    .doesNotContain(token));
  }

  @Test
  void a_long_title_is_shortened() {
    assertThat(in("text/html", "<title>%s</title>".formatted("word ".repeat(100))))
        .hasValueSatisfying(words -> assertThat(words).hasSizeLessThan(300).contains("word …'"));
  }
}

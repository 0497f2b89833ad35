package dev.sluice.collect.connector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.wire.WebAnswer;
import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a redirect leads, as far as that may be shown. */
class RedirectTest {

  private static Optional<String> in(int status, String location) {
    return Redirect.in(
        new WebAnswer(
            status,
            HttpHeaders.of(Map.of("Location", List.of(location)), (name, value) -> true),
            new byte[0]));
  }

  @ParameterizedTest
  @CsvSource({
    "https://login.example/v2/items?key=s3cret#s3cret, login.example/v2/items",
    "/items/?key=s3cret, /items/",
    "https://me:s3cret@login.example/, login.example/",
    "/session/s3cret-0123456789-0123456789/x, /session/…/x",
  })
  void a_redirect_tells_host_and_path_and_what_to_change(String location, String shown) {
    assertThat(in(302, location))
        .hasValueSatisfying(
            words ->
                assertThat(words)
                    .startsWith("it answered with status 302, a redirect to %s;".formatted(shown))
                    .contains("redirects are not followed: change provider.base")
                    .doesNotContain("s3cret"));
  }

  @Test
  void a_place_that_is_none_is_left_out() {
    assertThat(in(301, "not a place s3cret"))
        .hasValueSatisfying(
            words -> assertThat(words).startsWith("it answered with status 301, a redirect;"));
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 304, 404, 500})
  void other_answers_are_none(int status) {
    assertThat(in(status, "/items")).isEmpty();
  }
}

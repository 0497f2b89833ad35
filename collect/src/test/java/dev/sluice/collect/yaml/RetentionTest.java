package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.run.Reason.Failure;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a provider no longer has is never taken for nothing. */
class RetentionTest {
  private static final Instant NOW = Instant.parse("2024-06-30T12:00:00Z");
  private static final String CURSOR =
      """
      events:
        get: /events
        key: id
        cursor: {field: at, as: instant, ask: query since, overlap: 1h}
        pages: link-header
        catch-up: {from: "FROM"}
        retention: 7d
      """;
  private static final String WINDOWS =
      """
      events:
        get: /events
        key: id
        slices: {by: at, window: 30d, bounds: {from: query from, to: query to}}
        pages: none
        catch-up: {from: "FROM", order: ORDER}
        retention: 7d
      """;

  @ParameterizedTest
  @CsvSource({
    // form, mode, catch-up from, bookmark, whether the provider still has it
    "cursor,  STEADY,   2024-06-01, 2024-06-23T12:00:00Z, true",
    "cursor,  STEADY,   2024-06-01, 2024-06-23T11:59:59Z, false",
    "cursor,  STEADY,   2024-06-01, '',                   true",
    "cursor,  CATCH_UP, 2024-06-01, '',                   false",
    "cursor,  CATCH_UP, 2024-06-24, '',                   true",
    "cursor,  CATCH_UP, 2024-06-01, 2024-06-24T00:00:00Z, true",
    "forward, STEADY,   2024-06-01, 2024-06-23T11:59:59Z, false",
    "forward, CATCH_UP, 2024-06-01, 2024-06-24T00:00:00Z, true",
    "forward, CATCH_UP, 2024-06-01, '',                   false",
    "back,    CATCH_UP, 2024-06-01, 2024-06-24T00:00:00Z, false",
    "back,    CATCH_UP, 2024-06-24, 2024-06-25T00:00:00Z, true",
  })
  void reading_goes_on_only_from_where_the_provider_still_has_something(
      String form, Mode mode, String from, String bookmark, boolean had) throws Exception {
    ListStream stream =
        Script.stream(
            (form.equals("cursor") ? CURSOR : WINDOWS)
                .replace("FROM", from)
                .replace("ORDER", form.equals("back") ? "newest-first" : "oldest-first"));
    Script script = Script.of("[]");
    if (had) {
      assertThatCode(() -> read(stream, mode, bookmark, script)).doesNotThrowAnyException();
      assertThat(script.asked).isNotEmpty();
    } else {
      assertThatThrownBy(() -> read(stream, mode, bookmark, script))
          .isInstanceOfSatisfying(
              ProviderException.class,
              e -> assertThat(e.reason()).isEqualTo(Failure.CURSOR_EXPIRED))
          .hasMessageContaining("the service has nothing from before 2024-06-23T12:00:00Z");
      assertThat(script.asked).isEmpty();
    }
  }

  @Test
  void a_walk_that_is_under_way_goes_on() throws Exception {
    ListStream stream = Script.stream(CURSOR.replace("FROM", "2024-06-01"));
    String within = "{\"at\": \"2024-01-01T00:00:00Z\", \"page\": \"/events?page=2\"}";
    SliceEnd end = read(stream, Mode.STEADY, within, Script.of("[]"));
    assertThat(end.more()).isFalse();
  }

  private static SliceEnd read(ListStream stream, Mode mode, String bookmark, Script script)
      throws Exception {
    return stream.read(
        new SliceStart(
            "",
            mode,
            Optional.of(bookmark).filter(text -> !text.isEmpty()),
            stream.horizon(NOW),
            NOW,
            0),
        script,
        record -> {});
  }
}

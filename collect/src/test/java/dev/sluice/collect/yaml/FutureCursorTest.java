package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.bookmark.Mode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that claim to have changed in the future. */
class FutureCursorTest {
  private static final Instant NOW = Instant.parse("2024-06-01T12:00:00Z");
  private static final String EARLIER = "2024-06-01T11:00:00Z";
  private static final String LATER = "2024-06-01T11:30:00Z";
  private static final String FUTURE = "9999-12-31T23:59:59Z";

  private final List<CollectedRecord> read = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "link-header",
        "none",
        "{token: body $.next, ask: query cursor}",
        "{number: query page, size: 10}",
        "{seek: 10, ties: link-header}"
      })
  void they_are_handed_on_and_the_bookmark_stays_in_the_past(String pages) throws Exception {
    SliceEnd end = read(pages, EARLIER, LATER, FUTURE);
    assertThat(read).hasSize(3);
    assertThat(end).isEqualTo(SliceEnd.at(LATER, false));
  }

  @Test
  void a_page_that_is_full_with_one_of_them_is_read_on_behind_it() throws Exception {
    SliceEnd end = read("{seek: 3, ties: link-header}", EARLIER, LATER, FUTURE);
    assertThat(read).hasSize(3);
    assertThat(end).isEqualTo(SliceEnd.at(LATER, false));
  }

  @Test
  void where_all_of_them_are_such_the_bookmark_stays_where_it_is() throws Exception {
    assertThat(read("none", FUTURE)).isEqualTo(SliceEnd.at("2024-06-01T10:00:00Z", false));
  }

  private SliceEnd read(String pages, String... times) throws Exception {
    String stream =
        """
        items:
          get: /items
          records: $.items[*]
          key: id
          cursor: {field: at, as: instant, ask: query since}
          pages: %s
        """
            .formatted(pages);
    return Script.stream(stream)
        .read(
            new SliceStart(
                "", Mode.STEADY, Optional.of("2024-06-01T10:00:00Z"), Optional.empty(), NOW, 0),
            Script.of(request -> answer(request, times)),
            read::add);
  }

  /** Everything from the time on that is asked for. */
  private static WebAnswer answer(WebRequest request, String... times) {
    String since = request.uri().getQuery().replaceAll(".*since=([^&]*).*", "$1");
    List<String> items = new ArrayList<>();
    for (String time : times) {
      if (time.compareTo(since) >= 0) {
        items.add("{\"id\": \"%1$s\", \"at\": \"%1$s\"}".formatted(time));
      }
    }
    return Script.json("{\"items\": [%s]}".formatted(String.join(", ", items)));
  }
}

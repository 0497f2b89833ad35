package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceRead;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.run.Reason.Failure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Windows of time, each a slice. */
class WindowTest {
  private static final Instant NOW = Instant.parse("2024-06-10T12:00:00Z");
  private static final String STREAM =
      """
      entries:
        get: /entries
        records: $.data[*]
        key: id
        slices:
          by: work_date
          window: 1mo
          bounds: {from: query from, to: query to, to-is: inclusive, step: 1d, format: date}
          settle: 3d
        pages: {number: query page, until: page >= $.pages, guard: $.total}
        catch-up: {from: "2024-03-20"}
        steady: {every: 1h, window: 7d}
      """;

  private final List<String> read = new ArrayList<>();

  @Test
  void catch_up_goes_from_window_to_window_up_to_the_horizon() throws Exception {
    Script provider = Script.of("{\"data\": [], \"pages\": 1, \"total\": 0}");
    SliceEnd first = slice(STREAM, Mode.CATCH_UP, Optional.empty(), 0, provider);
    SliceEnd second = slice(STREAM, Mode.CATCH_UP, first.cursor(), 0, provider);
    SliceEnd third = slice(STREAM, Mode.CATCH_UP, second.cursor(), 0, provider);
    assertThat(asked(provider))
        .containsExactly(
            "from=2024-03-20&to=2024-04-19&page=1",
            "from=2024-04-20&to=2024-05-19&page=1",
            "from=2024-05-20&to=2024-06-09&page=1");
    assertThat(third).isEqualTo(SliceEnd.at("2024-06-10", false));
  }

  @Test
  void newest_first_goes_back_from_the_horizon_to_the_beginning() throws Exception {
    String stream = STREAM.replace("\"2024-03-20\"", "\"2024-05-05\", order: newest-first");
    Script provider = Script.of("{\"data\": [], \"pages\": 1, \"total\": 0}");
    SliceEnd first = slice(stream, Mode.CATCH_UP, Optional.empty(), 0, provider);
    SliceEnd second = slice(stream, Mode.CATCH_UP, first.cursor(), 0, provider);
    assertThat(asked(provider))
        .containsExactly(
            "from=2024-05-10&to=2024-06-09&page=1", "from=2024-05-05&to=2024-05-09&page=1");
    assertThat(first).isEqualTo(SliceEnd.at("2024-05-10", true));
    assertThat(second).isEqualTo(SliceEnd.at("2024-05-05", false));
  }

  @Test
  void steady_work_reads_up_to_now_and_keeps_its_bookmark_before_what_has_not_settled()
      throws Exception {
    Script provider = Script.of("{\"data\": [], \"pages\": 1, \"total\": 0}");
    SliceEnd end = slice(STREAM, Mode.STEADY, Optional.of("2024-06-05"), 0, provider);
    assertThat(asked(provider)).containsExactly("from=2024-06-05&to=2024-06-10&page=1");
    assertThat(end).isEqualTo(SliceEnd.at("2024-06-07", false));
  }

  @Test
  void windows_that_have_not_settled_are_read_on_although_the_bookmark_stays() throws Exception {
    String stream = STREAM.replace("window: 7d", "window: 2d");
    Script provider = Script.of("{\"data\": [], \"pages\": 1, \"total\": 0}");
    Optional<String> cursor = Optional.of("2024-06-06");
    SliceEnd end;
    do {
      end = slice(stream, Mode.STEADY, cursor, 0, provider);
      cursor = end.cursor();
    } while (end.more());
    assertThat(asked(provider))
        .containsExactly(
            "from=2024-06-06&to=2024-06-07&page=1",
            "from=2024-06-08&to=2024-06-09&page=1",
            "from=2024-06-10&to=2024-06-10&page=1");
    assertThat(end).isEqualTo(SliceEnd.at("2024-06-07", false));
  }

  @Test
  void steady_work_begins_before_the_horizon_by_what_has_not_settled() throws Exception {
    Script provider = Script.of("{\"data\": [], \"pages\": 1, \"total\": 0}");
    SliceEnd unused = slice(STREAM, Mode.STEADY, Optional.empty(), 0, provider);
    assertThat(asked(provider)).containsExactly("from=2024-06-07&to=2024-06-10&page=1");
  }

  @ParameterizedTest
  @CsvSource({"1, 2024-04-04", "2, 2024-03-27", "9, 2024-03-20"})
  void a_slice_that_was_too_large_is_halved_as_often_as_told(int shrink, String to)
      throws Exception {
    Script provider = Script.of("{\"data\": [], \"pages\": 1, \"total\": 0}");
    SliceEnd unused = slice(STREAM, Mode.CATCH_UP, Optional.empty(), shrink, provider);
    assertThat(asked(provider)).containsExactly("from=2024-03-20&to=" + to + "&page=1");
  }

  @ParameterizedTest
  @CsvSource({"0, true", "4, true", "5, false", "60, false"})
  void a_window_can_be_halved_until_it_is_one_step(int shrink, boolean can) throws Exception {
    ListStream stream = Script.stream(STREAM);
    SliceStart start =
        new SliceStart("", Mode.CATCH_UP, Optional.empty(), stream.horizon(NOW), NOW, shrink);
    assertThat(stream.canShrink(start)).isEqualTo(can);
  }

  @Test
  void a_window_with_too_many_pages_is_read_in_smaller_ones() throws Exception {
    String stream = STREAM.replace("settle: 3d", "shrink-when: $.pages > 10");
    int[] requests = {0};
    Script provider =
        Script.of(
            request ->
                Script.json(
                    requests[0]++ == 0
                        ? "{\"data\": [{\"id\": 1}], \"pages\": 11, \"total\": 1}"
                        : "{\"data\": [{\"id\": 1}], \"pages\": 1, \"total\": 1}"));
    SliceEnd end = slice(stream, Mode.CATCH_UP, Optional.empty(), 0, provider);
    assertThat(read).containsExactly("1");
    assertThat(end).isEqualTo(SliceEnd.at("2024-04-05", true));
  }

  @Test
  void records_of_a_window_that_proves_too_large_are_handed_on_once() throws Exception {
    String stream =
        STREAM
            .replace("settle: 3d", "shrink-when: pages > 1")
            .replace("    key: id\n", "")
            .replace(", guard: $.total", "");
    int[] requests = {0};
    Script provider =
        Script.of(
            request ->
                Script.json(
                    "{\"data\": [{\"id\": 1}], \"pages\": %d}"
                        .formatted(requests[0]++ < 2 ? 2 : 1)));
    SliceEnd end = slice(stream, Mode.CATCH_UP, Optional.empty(), 0, provider);
    assertThat(provider.asked).hasSize(3);
    assertThat(read).hasSize(1);
    assertThat(end).isEqualTo(SliceEnd.at("2024-04-05", true));
  }

  @Test
  void a_slice_whose_records_are_not_all_there_is_read_again() throws Exception {
    // Between the two pages of the first pass, record 2 moved before record 1.
    String[] pages = {
      "{\"data\": [{\"id\": 1}], \"pages\": 2, \"total\": 2}",
      "{\"data\": [{\"id\": 1}], \"pages\": 2, \"total\": 2}",
      "{\"data\": [{\"id\": 2}], \"pages\": 2, \"total\": 2}",
      "{\"data\": [{\"id\": 1}], \"pages\": 2, \"total\": 2}"
    };
    int[] next = {0};
    Script provider =
        Script.of(
            request ->
                next[0] == 1
                    ? Script.json(pages[next[0]++].replace("\"id\": 1", "\"id\": 1, \"v\": 2"))
                    : Script.json(pages[next[0]++]));
    SliceEnd unused = slice(STREAM, Mode.CATCH_UP, Optional.empty(), 0, provider);
    assertThat(provider.asked).hasSize(4);
    assertThat(read).containsExactly("2", "1");
  }

  @Test
  void a_total_that_changes_between_two_pages_means_reading_again() throws Exception {
    String[] pages = {
      "{\"data\": [{\"id\": 1}], \"pages\": 2, \"total\": 2}",
      "{\"data\": [{\"id\": 3}], \"pages\": 2, \"total\": 3}",
      "{\"data\": [{\"id\": 1}], \"pages\": 2, \"total\": 2}",
      "{\"data\": [{\"id\": 2}], \"pages\": 2, \"total\": 2}"
    };
    Script provider = Script.of(pages);
    SliceEnd unused = slice(STREAM, Mode.CATCH_UP, Optional.empty(), 0, provider);
    assertThat(read).containsExactly("1", "2");
  }

  @Test
  void pages_that_never_add_up_end_in_a_failure_and_not_in_silence() {
    Script provider = Script.of("{\"data\": [{\"id\": 1}], \"pages\": 1, \"total\": 2}");
    assertThatThrownBy(() -> slice(STREAM, Mode.CATCH_UP, Optional.empty(), 0, provider))
        .isInstanceOfSatisfying(
            ProviderException.class,
            e -> assertThat(e.reason()).isEqualTo(Failure.UNEXPECTED_CONTENT))
        .hasMessageContaining("1 records instead of 2");
  }

  @Test
  void each_part_of_a_split_stream_is_asked_for_by_itself() throws Exception {
    ListStream stream =
        Script.stream(
            "entries: {get: '/w/{split.workspace}/entries', split: {workspace: [a, 'b c']}, pages:"
                + " none}");
    assertThat(stream.splits()).containsExactly("a", "b c");
    Script provider = Script.of("[]");
    SliceEnd unused =
        stream.read(
            new SliceStart("b c", Mode.STEADY, Optional.empty(), Optional.empty(), NOW, 0),
            provider,
            record -> {});
    assertThat(provider.asked.getFirst().getRawPath()).isEqualTo("/v1/w/b%20c/entries");
  }

  private SliceEnd slice(
      String streams, Mode mode, Optional<String> cursor, int shrink, Script provider)
      throws Exception {
    ListStream stream = Script.stream(streams);
    List<CollectedRecord> found = new ArrayList<>();
    SliceRead slice =
        SliceRead.of(
            stream,
            new SliceStart("", mode, cursor, stream.horizon(NOW), NOW, shrink),
            provider,
            new Harvest.Found(found));
    found.forEach(record -> read.add(record.key()));
    return slice.end();
  }

  private static List<String> asked(Script provider) {
    return provider.asked.stream()
        .map(uri -> uri.getQuery())
        .map(
            query -> {
              List<String> sorted = new ArrayList<>(List.of(query.split("&", -1)));
              sorted.sort(
                  java.util.Comparator.comparingInt(
                      pair -> List.of("from", "to", "page").indexOf(pair.split("=", 2)[0])));
              return String.join("&", sorted);
            })
        .toList();
  }
}

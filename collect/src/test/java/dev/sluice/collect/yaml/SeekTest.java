package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.run.Reason.Failure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Seeking: always the first page from the last value on. */
class SeekTest {
  private static final Instant NOW = Instant.parse("2024-06-01T12:00:00Z");
  private static final String STREAM =
      """
      items:
        get: /items
        key: id
        cursor: {field: at, as: instant, ask: query since, overlap: 10s}
        pages: {seek: 3, ties: {number: query page, size: 3}}
        catch-up: {from: "2024-01-01T00:00:00Z"}
      """;

  private static final AtomicInteger NEXT = new AtomicInteger();

  private final List<CollectedRecord> read = new ArrayList<>();

  @Test
  void records_that_share_the_last_value_of_a_page_are_left_to_the_next_slice() throws Exception {
    Script provider = provider(1, 2, 3, 3, 4, 5);
    SliceEnd first = read(Mode.CATCH_UP, Optional.empty(), second(50), provider);
    assertThat(seconds()).containsExactly(1, 2);
    assertThat(first).isEqualTo(SliceEnd.at(second(3), true));
    SliceEnd next = read(Mode.CATCH_UP, first.cursor(), second(50), provider);
    assertThat(seconds()).containsExactly(1, 2, 3, 3);
    assertThat(next).isEqualTo(SliceEnd.at(second(4), true));
  }

  @Test
  void a_page_that_shares_one_value_is_read_to_the_end_of_that_value() throws Exception {
    Script provider = provider(1, 2, 2, 2, 2, 2, 2, 2, 3, 4);
    SliceEnd first = read(Mode.CATCH_UP, Optional.of(second(2)), second(50), provider);
    assertThat(seconds()).containsExactly(2, 2, 2, 2, 2, 2, 2);
    assertThat(first).isEqualTo(SliceEnd.at(second(3), true));
  }

  @Test
  void catch_up_reads_nothing_at_or_beyond_the_horizon_and_ends_there() throws Exception {
    Script provider = provider(1, 2, 3, 4, 5);
    Optional<String> cursor = Optional.empty();
    SliceEnd end;
    do {
      end = read(Mode.CATCH_UP, cursor, second(4), provider);
      cursor = end.cursor();
    } while (end.more());
    assertThat(seconds()).containsExactly(1, 2, 3);
    assertThat(end).isEqualTo(SliceEnd.at(second(4), false));
  }

  @Test
  void steady_work_begins_an_overlap_before_the_horizon() throws Exception {
    Script provider = provider(5, 20, 25, 31);
    SliceEnd end = read(Mode.STEADY, Optional.empty(), second(30), provider);
    assertThat(provider.asked.getFirst().getQuery()).isEqualTo("since=" + second(20));
    assertThat(seconds()).containsExactly(20, 25);
    assertThat(end).isEqualTo(SliceEnd.at(second(31), true));
  }

  @Test
  void steady_work_reads_its_overlap_again_and_the_bookmark_never_goes_back() throws Exception {
    Script provider = provider(5, 20, 25);
    SliceEnd end = read(Mode.STEADY, Optional.of(second(26)), second(4), provider);
    assertThat(seconds()).containsExactly(20, 25);
    assertThat(end).isEqualTo(SliceEnd.at(second(26), false));
  }

  @Test
  void an_overlap_of_many_pages_does_not_keep_the_bookmark_where_it_is() throws Exception {
    Script provider =
        provider(21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39);
    SliceEnd end = read(Mode.STEADY, Optional.of(second(30)), second(4), provider);
    assertThat(end.more()).isTrue();
    assertThat(end.cursor().orElseThrow()).isGreaterThan(second(35));
    assertThat(provider.asked).hasSizeLessThan(12);
  }

  @Test
  void a_cursor_is_kept_as_it_came() throws Exception {
    Script provider = Script.of("[{\"id\": 1, \"at\": \"2024-05-02T11:00:00.250+02:00\"}]");
    SliceEnd end = read(Mode.STEADY, Optional.empty(), second(0), provider);
    assertThat(end.cursor()).contains("2024-05-02T11:00:00.250+02:00");
    assertThat(read.getFirst().cursor()).isEqualTo("2024-05-02T09:00:00.250000000Z");
  }

  @Test
  void a_page_that_is_not_sorted_is_refused() {
    assertThatThrownBy(
            () -> read(Mode.STEADY, Optional.empty(), second(0), Script.of(page(List.of(5, 4, 6)))))
        .isInstanceOfSatisfying(
            ProviderException.class,
            e -> assertThat(e.reason()).isEqualTo(Failure.UNEXPECTED_CONTENT))
        .hasMessageContaining("not sorted by at");
  }

  @Test
  void a_provider_that_does_not_look_at_what_it_is_asked_for_is_noticed() {
    assertThatThrownBy(
            () ->
                read(
                    Mode.CATCH_UP,
                    Optional.of(second(30)),
                    second(59),
                    Script.of(page(List.of(1, 2, 3)))))
        .isInstanceOfSatisfying(
            ProviderException.class, e -> assertThat(e.reason()).isEqualTo(Failure.CURSOR_LOOP))
        .hasMessageContaining("since");
  }

  @Test
  void a_bookmark_of_another_file_is_told_as_such() {
    assertThatThrownBy(() -> read(Mode.STEADY, Optional.of("42"), second(0), Script.of("[]")))
        .isInstanceOf(ProviderException.class)
        .hasMessageContaining("written with another connector file");
  }

  @Test
  void the_horizon_lies_back_far_enough_for_a_clock_that_is_ahead() throws Exception {
    assertThat(Script.stream(STREAM).horizon(NOW)).contains("2024-06-01T11:00:00Z");
  }

  private SliceEnd read(Mode mode, Optional<String> cursor, String horizon, Script provider)
      throws Exception {
    ListStream stream = Script.stream(STREAM);
    return stream.read(
        new SliceStart("", mode, cursor, Optional.of(horizon), NOW, 0), provider, read::add);
  }

  private List<Integer> seconds() {
    return read.stream()
        .map(
            record ->
                Instant.parse(record.body().get("at").asString())
                    .atZone(java.time.ZoneOffset.UTC)
                    .getSecond())
        .toList();
  }

  private static String second(int second) {
    return "2024-05-01T00:00:%02dZ".formatted(second);
  }

  /** A provider of records that were changed at these seconds, sorted, three to a page. */
  private static Script provider(Integer... seconds) {
    return Script.of(request -> answer(request, List.of(seconds)));
  }

  private static WebAnswer answer(WebRequest request, List<Integer> seconds) {
    String query = String.valueOf(request.uri().getQuery());
    String since = query.replaceAll(".*since=([^&]*).*", "$1");
    int page =
        query.contains("page=") ? Integer.parseInt(query.replaceAll(".*page=(\\d+).*", "$1")) : 1;
    return Script.json(
        page(
            seconds.stream()
                .filter(second -> !query.contains("since=") || second(second).compareTo(since) >= 0)
                .skip(3L * (page - 1))
                .limit(3)
                .toList()));
  }

  private static String page(List<Integer> seconds) {
    return seconds.stream()
        .map(
            second ->
                "{\"id\": %d, \"at\": \"%s\"}".formatted(NEXT.incrementAndGet(), second(second)))
        .collect(Collectors.joining(",", "[", "]"));
  }
}

package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.yaml.ConnectorFile;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.bookmark.Bookmark;
import dev.sluice.runs.bookmark.Bookmarks;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.gap.StreamGap;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason.Failure;
import dev.sluice.runs.store.Store;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A provider of five pages with two items each, whose third may have trouble, and processes that
 * ask it.
 */
final class FivePages {
  static final int PAGES = 5;
  private static final Track TRACK = new Track("mine", "items", "", Mode.STEADY);

  /** Two items to a page, each page a slice that leads to the next. */
  private static final String BY_TOKEN = "{token: $.next, ask: query cursor}";

  /** The same pages by their numbers: all of them are one slice. */
  static final String BY_NUMBER = "{number: query cursor, first: 0, until: page >= $.last}";

  /** What the provider does to a page instead of giving it. */
  interface Trouble {
    WebAnswer answer(WebRequest request) throws IOException;
  }

  interface Story {
    void happen(FivePages scene) throws Exception;
  }

  final SimulatedTime time;
  final Store store;
  final MemorySink sink = new MemorySink();
  final List<String> asked = new ArrayList<>();
  private final String pages;
  private @Nullable Trouble trouble;

  private FivePages(SimulatedTime time, String pages) {
    this.time = time;
    this.store = Store.inMemory(time);
    this.pages = pages;
  }

  void trouble(Trouble other) {
    trouble = other;
  }

  void mend() {
    trouble = null;
    asked.clear();
  }

  WebAnswer send(WebRequest request) throws IOException {
    Matcher cursor = Pattern.compile("cursor=t?(\\d+)").matcher(request.uri().toString());
    int page = cursor.find() ? Integer.parseInt(cursor.group(1)) : 0;
    asked.add("page " + page);
    return trouble != null && page == 2 ? trouble.answer(request) : page(page);
  }

  CollectionRequest request(String... more) throws Exception {
    String file =
        """
        connector: items
        provider: {base: "http://127.0.0.1:8089"}
        streams:
          items: {get: /items, records: "$.items[*]", key: id, pages: %s}
        """
            .formatted(pages);
    return CollectionRequest.of(
        "mine",
        ConnectorFile.parse("items.yaml", file + String.join("\n", more))
            .bind(Map.of(), this::send, time));
  }

  CollectionResult collect(String... more) throws Exception {
    return collect(request(more), sink, store, this::send);
  }

  CollectionResult collect(CollectionRequest request, Sink into, Store state, Transport transport)
      throws Exception {
    try (ProviderGates gates = new ProviderGates(state, time)) {
      return new Collector(request, into, state, gates, transport, time).run();
    }
  }

  Optional<String> bookmark() {
    return store.read(transaction -> Bookmarks.find(transaction, TRACK)).flatMap(Bookmark::cursor);
  }

  /** Whether all pages are committed, whatever became of the run that did so. */
  boolean isWhole() {
    Optional<Bookmark> last = store.read(transaction -> Bookmarks.find(transaction, TRACK));
    return last.isPresent() && last.get().cursor().isEmpty();
  }

  List<StreamGap> gaps() {
    return store.read(transaction -> StreamGaps.of(transaction, "mine"));
  }

  void reopenLanes() {
    store.write(
        transaction -> {
          Lanes.all(transaction).forEach(lane -> Lanes.reopen(transaction, lane.name()));
          return null;
        });
  }

  /** Two slices are whole, and the next run goes on behind them. */
  void assertStandsBeforeTheThirdPage(CollectionResult result) {
    assertThat(sink.keys("items")).containsExactly("1", "2", "3", "4");
    assertThat(bookmark()).hasValueSatisfying(place -> assertThat(place).contains("t2"));
    assertThat(result.tracks().getFirst().cursor()).isEqualTo(bookmark());
    assertThat(gaps())
        .singleElement()
        .satisfies(
            gap -> {
              assertThat(gap.reason()).isEqualTo(result.outcome().reason());
              assertThat(gap.cursor()).isEqualTo(bookmark());
            });
  }

  /** Once it is mended, the next run reads what is missing, and nothing else. */
  void assertGoesOn() throws Exception {
    mend();
    time.sleep(Duration.ofHours(7)); // longer than any cooldown
    assertThat(collect().outcome()).isEqualTo(new Outcome.Completed());
    assertThat(asked).containsExactly("page 2", "page 3", "page 4");
    assertThat(sink.keys("items")).containsExactlyElementsOf(everyItem());
    assertThat(gaps()).isEmpty();
  }

  static List<String> everyItem() {
    return IntStream.rangeClosed(1, 2 * PAGES).mapToObj(String::valueOf).toList();
  }

  static void play(Story story) {
    play(BY_TOKEN, story);
  }

  static void play(String pages, Story story) {
    SimulatedTime.run(1, time -> story.happen(new FivePages(time, pages)));
  }

  static WebAnswer page(int number) {
    return page(number, number + 1 < PAGES ? "\"t" + (number + 1) + "\"" : "null");
  }

  static WebAnswer page(int number, String next) {
    return answer(
        200,
        "{\"items\": [{\"id\": %d}, {\"id\": %d}], \"next\": %s, \"last\": %d}"
            .formatted(2 * number + 1, 2 * number + 2, next, PAGES - 1));
  }

  static WebAnswer answer(int status, String body, String... headers) {
    Map<String, List<String>> fields = new HashMap<>();
    fields.put("Content-Type", List.of("application/json"));
    for (int i = 0; i < headers.length; i += 2) {
      fields.put(headers[i], List.of(headers[i + 1]));
    }
    return new WebAnswer(
        status,
        HttpHeaders.of(fields, (name, value) -> true),
        body.getBytes(StandardCharsets.UTF_8));
  }

  static void assertFailed(CollectionResult result, Failure reason) {
    assertThat(result.outcome())
        .isInstanceOfSatisfying(
            Outcome.Failed.class, end -> assertThat(end.reason()).isEqualTo(reason));
  }
}

package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.Requests;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.simulator.provider.http.Paging;
import dev.sluice.simulator.provider.http.ProviderOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RevalidationTest {

  @Test
  void a_page_that_has_not_changed_is_not_sent_again_and_one_that_has_is() throws Exception {
    ConnectorFile file =
        ConnectorFile.parse(
            "items.yaml",
            """
            connector: items
            provider: {base: "http://127.0.0.1:8089", revalidate: etag}
            streams:
              items: {get: /items, query: {sort: id}, key: id, pages: link-header}
            """);
    SimulatedTime.run(
        1,
        time -> {
          ProviderTwin twin =
              new ProviderTwin(ProviderOptions.DEFAULTS.withPaging(Paging.LINK, 100), time);
          Connector connector = file.bind(Map.of(), twin, time);
          Harvest first = new Harvest(connector, twin, time);
          first.run(Mode.STEADY);
          Harvest second = new Harvest(connector, twin, time);
          second.run(Mode.STEADY);
          assertThat(second.byKey).isEqualTo(first.byKey);
          assertThat(statuses(twin)).containsEntry(304, 9L).containsEntry(200, 11L);
          twin.mutate(1, 0, 0);
          Harvest third = new Harvest(connector, twin, time);
          third.run(Mode.STEADY);
          assertThat(third.byKey).hasSize(1001);
        });
  }

  @Test
  void a_page_is_asked_for_by_the_time_of_its_last_change_if_the_file_says_so() throws Exception {
    String changed = "Tue, 20 Jan 2026 10:00:00 GMT";
    List<WebRequest> sent = new ArrayList<>();
    Requests provider =
        request -> {
          sent.add(request);
          return request.headers().contains("If-Modified-Since")
              ? Script.answer(304, "")
              : Script.answer(200, "[{\"id\": 1}]", "Last-Modified", changed, "ETag", "same");
        };
    Connector connector =
        ConnectorFile.parse(
                "items.yaml",
                """
                connector: items
                provider: {base: "https://api.example", revalidate: last-modified, timeout: 7s}
                streams: {items: {get: /items, key: id, pages: none}}
                """)
            .bind(Map.of(), Script.NOBODY, Time.real());
    for (int run = 0; run < 2; run++) {
      Harvest harvest = new Harvest(connector.streams().getFirst(), provider, Time.real());
      harvest.run(Mode.STEADY);
      assertThat(harvest.byKey).as("what was kept is handed on again").containsOnlyKeys("1");
    }
    assertThat(sent.getFirst().headers()).doesNotContain("If-Modified-Since");
    assertThat(sent.getLast().headers())
        .containsSequence("If-Modified-Since", changed)
        .doesNotContain("If-None-Match");
    assertThat(sent)
        .as("provider.timeout")
        .allSatisfy(request -> assertThat(request.timeout()).hasSeconds(7));
  }

  @Test
  void what_is_posted_is_sent_each_time_without_asking_first() throws Exception {
    List<WebRequest> sent = new ArrayList<>();
    Script provider =
        Script.of(
            request -> {
              sent.add(request);
              return Script.answer(200, "[{\"id\": %d}]".formatted(sent.size()), "ETag", "same");
            });
    Connector connector =
        ConnectorFile.parse(
                "items.yaml",
                """
                connector: items
                provider: {base: "https://api.example", revalidate: etag}
                streams: {items: {post: /search, key: id, pages: none}}
                """)
            .bind(Map.of(), Script.NOBODY, Time.real());
    Harvest harvest = new Harvest(connector.streams().getFirst(), provider, Time.real());
    harvest.run(Mode.STEADY);
    harvest.run(Mode.STEADY);
    assertThat(harvest.byKey).containsOnlyKeys("1", "2");
    assertThat(sent).allSatisfy(request -> assertThat(request.headers()).doesNotContain("same"));
  }

  private static Map<Integer, Long> statuses(ProviderTwin twin) {
    return twin.provider.log().stream()
        .collect(Collectors.groupingBy(request -> request.status(), Collectors.counting()));
  }
}

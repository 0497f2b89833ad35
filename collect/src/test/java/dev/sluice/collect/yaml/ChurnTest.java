package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.Connector;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.simulator.catalogue.CatalogueOptions;
import dev.sluice.simulator.provider.http.Call;
import dev.sluice.simulator.provider.http.Paging;
import dev.sluice.simulator.provider.http.ProviderOptions;
import dev.sluice.simulator.provider.http.Reply;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Items appear, change and vanish between any two requests, and none is lost. */
class ChurnTest {
  private static final int SEEDS = 4;

  static Stream<Arguments> ways() {
    return Stream.of(
            Arguments.of(Paging.LINK, "$[*]", "{seek: 20, ties: link-header}"),
            Arguments.of(
                Paging.CURSOR,
                "$.items[*]",
                "{seek: 20, ties: {token: body $.next_cursor, ask: query cursor}}"),
            Arguments.of(Paging.LINK, "$[*]", "link-header"),
            Arguments.of(
                Paging.CURSOR, "$.items[*]", "{token: body $.next_cursor, ask: query cursor}"),
            Arguments.of(Paging.OFFSET, "$.items[*]", "{offset: query offset, size: 20}"),
            Arguments.of(
                Paging.PAGE,
                "$.items[*]",
                "{number: query page, until: page >= $.total_pages, guard: $.total}"))
        .flatMap(
            way ->
                IntStream.range(0, SEEDS)
                    .mapToObj(
                        seed -> Arguments.of(seed, way.get()[0], way.get()[1], way.get()[2])));
  }

  @ParameterizedTest(name = "seed {0} {1} {3}")
  @MethodSource("ways")
  void nothing_is_lost_while_items_come_and_go(
      int seed, Paging paging, String records, String pages) throws Exception {
    ConnectorFile file =
        ConnectorFile.parse(
            "items.yaml",
            """
            connector: items
            config: {from: {type: instant, default: "2000-01-01T00:00:00Z"}}
            provider: {base: "http://127.0.0.1:8089"}
            streams:
              items:
                get: /items
                query: {limit: 20}
                records: %s
                key: id
                cursor: {field: updated_at, as: instant, ask: query updated_since, overlap: 2s}
                pages: %s
                catch-up: {from: "{config.from}"}
                steady: {every: 10m}
            """
                .formatted(records, pages));
    SimulatedTime.run(
        seed,
        time -> {
          ProviderTwin twin = twin(seed, paging, time);
          Connector connector = file.bind(Map.of(), twin, time);
          Harvest harvest = new Harvest(connector, twin, time);
          SplittableRandom random = new SplittableRandom(seed);
          // Positions shift with every change: there has to be a pause for one clean pass.
          boolean positions = pages.contains("query page") || pages.contains("offset");
          twin.between(
              () -> {
                if (random.nextInt(4) == 0 && !(positions && twin.asked.size() > 60)) {
                  twin.mutate(random.nextInt(2), 1 + random.nextInt(4), random.nextInt(2));
                }
              });
          for (int i = 0; i < 30; i++) {
            boolean unused = harvest.slice(random.nextBoolean() ? Mode.STEADY : Mode.CATCH_UP);
            time.sleep(Duration.ofSeconds(random.nextInt(300)));
          }
          harvest.run(Mode.CATCH_UP);
          harvest.run(Mode.STEADY);
          twin.between(() -> {});
          time.sleep(Duration.ofMinutes(1));
          harvest.run(Mode.STEADY);

          Map<String, JsonNode> now = everything(twin);
          Map<String, JsonNode> collected = new HashMap<>();
          Set<String> known = new HashSet<>(now.keySet());
          for (CollectedRecord record : harvest.byKey.values()) {
            if (known.contains(record.key())) {
              collected.put(record.key(), record.body());
            }
          }
          assertThat(now).hasSizeGreaterThan(250);
          assertThat(collected).isEqualTo(now);
        });
  }

  private static ProviderTwin twin(int seed, Paging paging, Time time) {
    return new ProviderTwin(
        ProviderOptions.DEFAULTS
            .withPaging(paging, 20)
            .withCatalogue(new CatalogueOptions(300, seed, Duration.ofDays(2), 0)),
        time);
  }

  private static Map<String, JsonNode> everything(ProviderTwin twin) throws Exception {
    Map<String, JsonNode> items = new HashMap<>();
    JsonMapper json = JsonMapper.builder().build();
    for (int id = 1; id < 500; id++) {
      Reply reply = twin.provider.exchange(Call.get("/items/" + id));
      if (reply.status() == 200) {
        ObjectNode item = (ObjectNode) json.readTree(reply.body());
        JsonNode unused = item.remove("description");
        items.put(Integer.toString(id), item);
      }
    }
    return items;
  }
}

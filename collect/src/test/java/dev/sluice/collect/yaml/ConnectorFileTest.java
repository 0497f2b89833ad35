package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.Connector;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.simulator.provider.http.Credentials;
import dev.sluice.simulator.provider.http.Paging;
import dev.sluice.simulator.provider.http.ProviderOptions;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that say how lists are paged and who asks, against the simulated provider. */
class ConnectorFileTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "LINK     | $[*]       | link-header",
        "LINK     | $[*]       | {follow: link-header, next: verbatim}",
        "NEXT_URL | $.items[*] | {follow: body $.next}",
        "CURSOR   | $.items[*] | {token: body $.next_cursor, ask: query cursor}",
        "PAGE     | $.items[*] | {number: query page}",
        "PAGE     | $.items[*] | {number: query page, until: 'page >= $.total_pages', guard:"
            + " $.total}",
        "OFFSET   | $.items[*] | {offset: query offset, size: 100}",
        "LINK     | $[*]       | {seek: 100, ties: link-header}",
      })
  void every_way_through_the_pages_reads_everything(Paging paging, String records, String pages)
      throws Exception {
    ConnectorFile file =
        ConnectorFile.parse(
            "items.yaml",
            """
            connector: items
            config: {token: {type: secret}}
            provider:
              base: http://127.0.0.1:8089
              auth: {bearer: "{config.token}"}
            streams:
              items:
                get: /items
                query: {limit: 100, sort: updated_at}
                records: %s
                key: id
                cursor: {field: updated_at, as: instant, ask: query updated_since}
                pages: %s
            """
                .formatted(records, pages));
    SimulatedTime.run(
        1,
        time -> {
          ProviderTwin twin =
              new ProviderTwin(
                  ProviderOptions.DEFAULTS
                      .withPaging(paging, 100)
                      .withCredentials(Credentials.of(Credentials.Kind.BEARER, 1)),
                  time);
          Connector connector = file.bind(Map.of("token", Credentials.secret(0)), twin, time);
          Harvest harvest = new Harvest(connector, twin, time);
          harvest.run(Mode.STEADY);
          assertThat(harvest.byKey).hasSize(1000);
          assertThat(harvest.all).hasSize(1000);
        });
  }
}

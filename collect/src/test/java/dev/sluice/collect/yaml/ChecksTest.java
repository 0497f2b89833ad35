package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks that a connector file brings along. */
class ChecksTest {
  private static final String FILE =
      """
      connector: issues
      config: {owner: {type: string}, token: {type: secret}}
      provider: {base: "https://api.example", auth: {bearer: "{config.token}"}}
      pacing:
        answers:
          - {when: "status == 403 and body contains 'secondary'", mean: throttled, wait-at-least: 60s}
      streams:
        issues:
          get: /{config.owner}/issues
          key: id
          cursor: {field: at, as: instant, ask: query since}
          pages: {seek: 2, ties: link-header}
      checks:
        - name: a throttle is not the end of the stream
          stream: issues
          script: [200 first.json, 403 secondary.json, {body: '[{"id": 2, "at": "2024-05-02T09:00:00Z"}]'}]
          expect: {records: COUNT, throttled: 1, requests: 3, cursor: "2024-05-02T09:00:00Z"}
        - name: a refusal is one
          stream: issues
          script: [403]
          expect: {fails: forbidden}
        - name: a script that is too short is noticed
          stream: issues
          script: [200 first.json]
          expect: {}
        - name: files of other folders are not read
          stream: issues
          script: [200 ../secret.json]
          expect: {}
      """;

  @TempDir Path folder;

  @Test
  void checks_run_offline_and_say_what_was_otherwise() throws Exception {
    Files.writeString(
        folder.resolve("first.json"),
        "[{\"id\": 1, \"at\": \"2024-05-01T09:00:00Z\"}, {\"id\": 2, \"at\":"
            + " \"2024-05-02T09:00:00Z\"}]");
    Files.writeString(folder.resolve("secondary.json"), "{\"message\": \"secondary rate limit\"}");
    List<Checks.Result> results = run("2");
    assertThat(results).hasSize(4);
    assertThat(results.get(0).problems()).isEmpty();
    assertThat(results.get(1).passed()).isTrue();
    assertThat(results.get(2).problems())
        .containsExactly("it was asked 2 times, but the script has no more answers");
    assertThat(results.get(3).problems())
        .containsExactly("../secret.json does not lie beside the connector file");
    assertThat(run("3").getFirst().problems()).containsExactly("records is 2, but 3 was expected");
  }

  private List<Checks.Result> run(String records) throws Exception {
    return Checks.run(ConnectorFile.parse("issues.yaml", FILE.replace("COUNT", records)), folder);
  }
}

package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.config.ConfigurationException;
import dev.sluice.gate.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a file is said all at once, with line, key and a way out. */
class MistakesTest {

  @Test
  void every_mistake_of_a_file_is_told_at_once_in_the_order_of_its_lines() {
    assertThat(
            mistakes(
                """
                connector: items
                conifg: {token: {type: secret}}
                provider:
                  base: https://api.example
                  auth: {barer: x}
                streams:
                  items:
                    get: items
                    pages: {number: page, frist: 1}
                    cursor: {field: updated_at, as: instnat}
                    drop-if: exists pull_request
                """))
        .containsExactly(
            "test.yaml:2: conifg is not known; did you mean config?",
            "test.yaml:5: provider.auth has no way to prove who asks, but one of bearer, basic,"
                + " header, query, oauth2, pool is expected",
            "test.yaml:5: provider.auth.barer is not known; did you mean bearer?",
            "test.yaml:8: streams.items.get is 'items', but a path that begins with / is expected",
            "test.yaml:9: streams.items.pages.number is 'page', but a place such as 'query since',"
                + " 'header X-Since' or 'body $.since' is expected",
            "test.yaml:9: streams.items.pages.frist is not known; did you mean first?",
            "test.yaml:10: streams.items.cursor.as is 'instnat', which is not known; did you mean"
                + " instant?",
            "test.yaml:11: streams.items.drop-if is 'exists pull_request', but after 'exists' ( is"
                + " expected, not 'pull_request'");
  }

  @Test
  void a_header_of_the_provider_that_cannot_be_sent_is_a_mistake_with_its_line() {
    assertThat(
            mistakes(
                """
                connector: items
                provider:
                  base: https://api.example
                  auth: {header: Host, value: x}
                  headers:
                    Upgrade: h2c
                    X-Name: é
                streams: {items: {get: /items, pages: none}}
                """))
        .containsExactly(
            "test.yaml:4: provider.auth.header is a header that the client sets itself; leave it"
                + " out",
            "test.yaml:6: provider.headers.Upgrade is a header that the client sets itself; leave"
                + " it out",
            "test.yaml:7: provider.headers.X-Name has characters that no header can carry; letters,"
                + " digits, signs and spaces of ASCII alone can stand there");
  }

  @Test
  void a_configured_value_that_no_header_can_carry_is_a_mistake_and_not_quoted() throws Exception {
    ConnectorFile file =
        ConnectorFile.parse(
            "test.yaml",
            """
            connector: items
            config: {name: {type: string}}
            provider: {base: "https://api.example"}
            streams: {items: {get: /items, pages: none, headers: {X-Name: "{config.name}"}}}
            """);
    assertThatThrownBy(() -> file.bind(Map.of("name", "Zoë"), Script.NOBODY, Time.real()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "what is filled in for headers.X-Name has characters that no header can carry")
        .message()
        .doesNotContain("Zoë");
  }

  @Test
  void a_file_that_is_too_large_is_told_so_before_it_is_read(@TempDir Path folder)
      throws Exception {
    Path large = folder.resolve("large.yaml");
    Files.writeString(large, "connector: \"" + "a ".repeat(600_000) + "\"\n");
    assertThatThrownBy(() -> ConnectorFile.read(large))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("large.yaml cannot be read: it is larger than 1 MiB");
    assertThat(mistakes("connector: \"" + "a ".repeat(600_000) + "\"\n"))
        .singleElement()
        .asString()
        .startsWith("test.yaml:1: it is larger than 1 MiB");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pages: {seek: 100}                      | pages seek, which needs cursor.ask",
        "catch-up: {from: '2024-01-01'}          | catch-up needs slices, or a cursor that is a"
            + " time",
        "only-if: parent.a > 0                   | only-if is for details, but this stream has no"
            + " for-each",
        "for-each: itmes                         | is for each of itmes, which is no stream that is"
            + " listed",
        "query: {a: '{config.tokn}'}             | query.a names {config.tokn}, which is not under"
            + " config; did you mean token?",
        "query: {a: '{config.token}'}            | query.a names {config.token}, a secret; secrets"
            + " belong under provider.auth alone",
        "query: {a: '{parent.id}'}               | query.a names {parent.id}, which there is not"
            + " here",
        "query: {a: '{config'}                   | query.a is '{config', but in braces"
            + " {config.NAME}",
        "records: items[*]                       | records is 'items[*]', but a path such as $",
        "hide: id                                | hide hides id, which the stream needs",
        "pages: {token: $.n, number: query page} | pages has token and number, but one of",
        "pages: {offset: query offset}           | pages.size is missing",
        "cursor: {as: instant}                   | cursor.field is missing",
        "cursor: {field: n, as: int, overlap: 2s}| cursor.overlap needs a cursor that is a time",
        "steady: {every: often}                  | steady.every is 'often', but a time such as",
        "slices: {by: d, window: 7d}             | slices.bounds is missing",
        "get: /again                             | get is a duplicate key, already in line 6; remove one",
        "post: /items                            | post stands beside get; remove one",
        "body: {a: 1}                            | body is carried by post alone, but the stream has"
            + " get",
        "pages: {token: $.n, ask: body $.n}      | pages.ask is in the body, which only post has",
        "pages: {token: $.n, ask: query n, until: page > 3} | pages.until is 'page > 3', but it can"
            + " only ask for paths",
        "cursor: {token: $.t}                    | cursor.ask is missing",
        "cursor: {token: $.t, ask: query t, expierd: 410} | cursor.expierd is not known; did you"
            + " mean expired?",
        "cursor: {token: $.t, ask: query t, expired: gone} | cursor.expired is 'gone', but a status",
        "cursor: {token: $.t, ask: query t, overlap: 1s} | cursor.overlap goes by values",
        "headers: {Host: a.example}              | headers.Host is a header that the client sets"
            + " itself; leave it out",
        "headers: {content-length: 1}            | headers.content-length is a header that the"
            + " client sets itself",
        "headers: {X Y: a}                       | headers.X Y is no name of a header, which has",
        "headers: {X-Y: aé😀}                    | headers.X-Y has characters that no header can"
            + " carry; letters, digits, signs and spaces of ASCII alone can stand there",
        "headers: {X-Y: \"a\\nb\"}                | headers.X-Y has characters that no header can",
        "cursor: {field: n, ask: header Host}    | cursor.ask is 'header Host', but Host is a header"
            + " that the client sets itself",
        "retention: 30d                          | retention needs slices, or a cursor that is a"
            + " time",
      })
  void a_mistake_in_a_stream_names_its_key_and_what_is_expected(String line, String message) {
    assertThat(
            mistakes(
                """
                connector: items
                config: {token: {type: secret}}
                provider: {base: "https://api.example", auth: {bearer: "{config.token}"}}
                streams:
                  items:
                    get: /items
                    key: id
                    %s
                """
                    .formatted(line)))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("test.yaml:").contains(message));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "get: /i, cursor: {token: $.t, ask: query t}, pages: {number: query p} | pages go by"
            + " position, but the cursor is a token",
        "get: /i, cursor: {token: $.t, ask: query t}, pages: {seek: 9} | pages go by position, but"
            + " the cursor is a token",
        "get: /i, cursor: {token: $.t, ask: query t}, catch-up: {} | catch-up goes by values, but"
            + " the cursor is a token",
        "get: /i, for-each: others, cursor: {token: $.t, ask: query t} | cursor is a token, but"
            + " details are read whole",
        "get: /i, query: {a: '{split.reigon}'}, split: {region: [eu], kind: [x]} | split has no"
            + " reigon, which {split.reigon} asks for; did you mean region?",
        "post: /i, body: {n: 1.} | body.n is '1.', but a number as JSON has it",
        "post: /i, body: {a: [{b: '{config.tokn}'}]} | body.a.b names {config.tokn}, which is not"
            + " under config; did you mean token?",
        "post: /i, body: {a: '{confg.token}'} | body.a is '{confg.token}', but in braces",
        "post: /i, body: {a: '{config.token}'} | body.a names {config.token}, a secret",
        "post: /i, body: {a: 5}, cursor: {field: n, ask: body $.a.b} | cursor.ask is body $.a.b, but"
            + " the stream's body has no such place",
        "post: /i, body: {l: []}, pages: {offset: 'body $.l[0]', size: 9} | pages.offset is body"
            + " $.l[0], but the stream's body has no such place",
        "post: i | post is 'i', but a path that begins with / is expected",
        "key: id | get is missing",
      })
  void what_does_not_go_together_is_told(String keys, String message) {
    assertThat(
            mistakes(
                """
                connector: items
                config: {token: {type: secret}}
                provider: {base: "https://api.example", auth: {bearer: "{config.token}"}}
                streams:
                  others: {get: /others}
                  items: {%s}
                """
                    .formatted(keys)))
        .anySatisfy(mistake -> assertThat(mistake).startsWith("test.yaml:6: ").contains(message));
  }

  @Test
  void what_is_configured_is_checked_all_at_once() throws Exception {
    ConnectorFile file =
        ConnectorFile.parse(
            "test.yaml",
            """
            connector: items
            config:
              owner: {type: string}
              from: {type: date}
              size: {type: int}
            provider: {base: "https://api.example"}
            streams: {items: {get: "/{config.owner}"}}
            """);
    assertThatThrownBy(
            () ->
                file.bind(
                    Map.of("from", "soon", "size", "1e3", "ower", "x"), Script.NOBODY, Time.real()))
        .isInstanceOfSatisfying(
            ConfigurationException.class,
            e ->
                assertThat(e.mistakes())
                    .containsExactlyInAnyOrder(
                        "test.yaml: config.ower is not known; did you mean owner?",
                        "test.yaml:3: config.owner has no value; the collection has to give one"
                            + " (string)",
                        "test.yaml:4: config.from is 'soon', but a date such as 2024-01-31 is"
                            + " expected",
                        "test.yaml:5: config.size is '1e3', but a whole number is expected"));
  }

  @ParameterizedTest
  @CsvSource({"evil.example/#", "a@evil.example", "evil.example:80", "a b"})
  void nothing_that_is_configured_leads_to_another_host(String shop) throws Exception {
    ConnectorFile file =
        ConnectorFile.parse(
            "test.yaml",
            """
            connector: items
            config: {shop: {type: string}}
            provider: {base: "https://{config.shop}.shop.example/v1"}
            streams: {items: {get: /items}}
            """);
    assertThatThrownBy(() -> file.bind(Map.of("shop", shop), Script.NOBODY, Time.real()))
        .hasMessageContaining("test.yaml:3: provider.base has '" + shop + "' filled in");
  }

  @Test
  void a_credential_is_not_sent_readable_over_the_network() throws Exception {
    ConnectorFile file =
        ConnectorFile.parse(
            "test.yaml",
            """
            connector: items
            provider: {base: "http://api.example", auth: {header: X-Key, value: abc}}
            streams: {items: {get: /items}}
            """);
    assertThatThrownBy(() -> file.bind(Map.of(), Script.NOBODY, Time.real()))
        .hasMessageContaining("write https");
  }

  @Test
  void a_text_that_is_no_yaml_is_told_without_being_quoted() {
    assertThat(mistakes("connector: [items, {token: s3cret\nprovider: x"))
        .singleElement()
        .asString()
        .startsWith("test.yaml:")
        .contains("cannot be read as YAML")
        .doesNotContain("s3cret");
  }

  @Test
  void a_file_that_is_not_there_is_told_by_its_name(@TempDir Path folder) {
    assertThatThrownBy(() -> ConnectorFile.read(folder.resolve("shop.yaml")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("there is no connector file")
        .hasMessageContaining("shop.yaml");
  }

  private static List<String> mistakes(String text) {
    return catchThrowableOfType(
            ConfigurationException.class, () -> ConnectorFile.parse("test.yaml", text))
        .mistakes();
  }
}

package dev.sluice.collect.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.config.ConfigurationException;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.run.Reason.Failure;
import dev.sluice.simulator.provider.http.Credentials;
import dev.sluice.simulator.provider.http.Paging;
import dev.sluice.simulator.provider.http.ProviderOptions;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who asks, and that nobody else learns it. */
class AuthTest {
  private static final String OAUTH =
      "{oauth2: {grant: client-credentials, token-url: 'http://127.0.0.1:8089/oauth/token',"
          + " client-id: client-1, client-secret: '{config.secret}', scope: [a, b]}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BEARER | {bearer: '{config.secret}'}",
        "BASIC  | {basic: {user: client-1, password: '{config.secret}'}}",
        "HEADER | {header: X-Api-Key, value: '{config.secret}'}",
        "QUERY  | {query: api_key, value: '{config.secret}'}",
        "BEARER | {pool: ['{config.secret}', '{config.secret}']}",
        "OAUTH2 | " + OAUTH,
      })
  void every_proof_is_accepted_and_told_to_nobody_else(Credentials.Kind kind, String auth)
      throws Exception {
    ConnectorFile file = file(auth);
    SimulatedTime.run(
        1,
        time -> {
          ProviderTwin twin =
              new ProviderTwin(
                  ProviderOptions.DEFAULTS
                      .withPaging(Paging.LINK, 100)
                      .withCredentials(new Credentials(kind, 1, Duration.ofMinutes(30))),
                  time);
          String secret = Credentials.secret(0);
          Connector connector = file.bind(Map.of("secret", secret), twin, time);
          Harvest harvest = new Harvest(connector, twin, time);
          harvest.run(Mode.STEADY);
          assertThat(harvest.byKey).hasSize(1000);

          List<String> shown = new ArrayList<>();
          shown.add(connector.toString());
          shown.add(connector.provider().toString());
          shown.add(connector.provider().authorization().toString());
          shown.add(connector.streams().toString());
          shown.add(file.toString());
          harvest.slices.stream().map(SliceEnd::toString).forEach(shown::add);
          assertThat(shown).noneMatch(text -> text.contains(secret));
          assertThat(connector.provider().lane()).matches("127\\.0\\.0\\.1 [0-9a-f]{12}");
        });
  }

  @Test
  void other_secrets_have_other_lanes_and_the_same_have_the_same() throws Exception {
    ConnectorFile file = file("{bearer: '{config.secret}'}");
    assertThat(lane(file, "one")).isEqualTo(lane(file, "one")).isNotEqualTo(lane(file, "two"));
  }

  private static String lane(ConnectorFile file, String secret) throws Exception {
    return file.bind(Map.of("secret", secret), Script.NOBODY, Time.real()).provider().lane();
  }

  @Test
  void a_token_is_used_until_it_expires_or_is_not_accepted() throws Exception {
    ConnectorFile file = file(OAUTH);
    SimulatedTime.run(
        1,
        time -> {
          List<URI> asked = new ArrayList<>();
          Connector connector =
              file.bind(
                  Map.of("secret", "s"),
                  request -> {
                    asked.add(request.uri());
                    return Script.json(
                        "{\"access_token\": \"t%d\", \"expires_in\": 3600}"
                            .formatted(asked.size()));
                  },
                  time);
          assertThat(signed(connector)).contains("Bearer t1");
          time.sleep(Duration.ofMinutes(58));
          assertThat(signed(connector)).contains("Bearer t1");
          time.sleep(Duration.ofMinutes(1).plusSeconds(1));
          assertThat(signed(connector)).contains("Bearer t2");
          assertThat(refused(connector, "Bearer t2")).isTrue();
          assertThat(signed(connector)).contains("Bearer t3");
        });
  }

  @Test
  void the_tokens_of_a_pool_take_turns_and_one_that_is_refused_is_followed_by_another()
      throws Exception {
    Connector connector =
        ConnectorFile.parse(
                "items.yaml",
                """
                connector: items
                config: {first: {type: secret}, second: {type: secret}}
                provider:
                  base: http://127.0.0.1:8089
                  auth: {pool: ["{config.first}", "{config.second}"]}
                streams:
                  items: {get: /items, key: id, pages: link-header}
                """)
            .bind(Map.of("first", "one", "second", "two"), Script.NOBODY, Time.real());
    assertThat(signed(connector)).containsExactly("Authorization", "Bearer one");
    assertThat(signed(connector)).containsExactly("Authorization", "Bearer two");
    assertThat(signed(connector)).containsExactly("Authorization", "Bearer one");
    assertThat(refused(connector, "Bearer one")).isTrue();
    assertThat(signed(connector)).containsExactly("Authorization", "Bearer two");
    assertThat(connector.provider().authorization().toString())
        .doesNotContain("one")
        .doesNotContain("two");
  }

  @Test
  void a_client_that_is_not_known_is_told_without_its_secret() throws Exception {
    Connector connector =
        file(OAUTH)
            .bind(
                Map.of("secret", "s3cret"),
                request ->
                    Script.answer(
                        401, "{\"error\": \"invalid_client\", \"error_description\": \"s3cret\"}"),
                Time.real());
    assertThatThrownBy(() -> signed(connector))
        .isInstanceOfSatisfying(
            ProviderException.class, e -> assertThat(e.reason()).isEqualTo(Failure.AUTH_FAILURE))
        .hasMessageContaining("invalid_client")
        .message()
        .doesNotContain("s3cret");
  }

  @Test
  void a_secret_in_a_link_of_the_provider_never_gets_into_a_bookmark() throws Exception {
    Connector connector =
        file("{query: api_key, value: '{config.secret}'}")
            .bind(Map.of("secret", "s3cret"), Script.NOBODY, Time.real());
    Script script =
        Script.of(
            request ->
                Script.answer(
                    200,
                    "[{\"id\": 1}]",
                    "Link",
                    "</items?page=2&api_key=s3cret&x=1>; rel=\"next\""));
    Harvest harvest = new Harvest(connector.streams().getFirst(), script, Time.real());
    assertThat(harvest.slice(Mode.STEADY)).isTrue();
    assertThat(harvest.bookmark(Mode.STEADY).orElseThrow())
        .contains("/items?page=2&x=1")
        .doesNotContain("s3cret");
  }

  @Test
  void a_page_for_people_in_the_place_of_a_token_is_told_as_one() throws Exception {
    WebAnswer page =
        new WebAnswer(
            200,
            HttpHeaders.of(Map.of("Content-Type", List.of("text/html")), (name, value) -> true),
            "<html>Sign in</html>".getBytes(StandardCharsets.UTF_8));
    Connector connector =
        file(OAUTH).bind(Map.of("secret", "s3cret"), request -> page, Time.real());
    assertThatThrownBy(() -> signed(connector))
        .isInstanceOf(ProviderException.class)
        .hasMessageContaining("a page for people (HTML), not with a token; check token-url");
  }

  @Test
  void a_text_with_a_slip_under_auth_is_not_quoted() {
    assertThatThrownBy(() -> file("{bearer: 's3cret{'}"))
        .hasMessageContaining("provider.auth.bearer cannot be read")
        .message()
        .doesNotContain("s3cret");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "bearer | auth is a single value, but a group of keys is expected, such as {bearer: \"{config.token}\"}",
        "Basic | such as {basic: {user: \"{config.user}\", password: \"{config.password}\"}}",
        "s3cret | such as {bearer: \"{config.token}\"}",
        "{type: bearer, token: s3cret} | auth names its kind by a key of its own; write {bearer: \"{config.token}\"}",
        "{bearer: {config.secret}} | auth.bearer is a group of keys, but a single value is expected; did you mean \"{config.secret}\", with quotes?",
        "{bearer: {s3cret}} | auth.bearer is a group of keys, but a single value is expected",
        "{bearer: config.secret} | auth.bearer is config.secret as it stands there; did you mean \"{config.secret}\"?",
        "{header: X-Key, value: config.secret} | did you mean \"{config.secret}\"?",
      })
  void a_proof_of_another_shape_is_told_the_nearest_that_is_right(String auth, String message) {
    assertThatThrownBy(() -> file(auth))
        .isInstanceOfSatisfying(
            ConfigurationException.class,
            e ->
                assertThat(e.mistakes())
                    .singleElement()
                    .satisfies(
                        mistake ->
                            assertThat(mistake)
                                .startsWith("items.yaml:5: provider.")
                                .endsWith(message)
                                .doesNotContain("s3cret")));
  }

  @Test
  void a_secret_that_no_header_can_carry_is_refused_without_being_quoted() throws Exception {
    ConnectorFile file = file("{bearer: '{config.secret}'}");
    assertThatThrownBy(
            () -> file.bind(Map.of("secret", "s3cret\nX: y"), Script.NOBODY, Time.real()))
        .hasMessageContaining("config.secret is '…', but a text without line breaks is expected");
    assertThatThrownBy(
            () -> file.bind(Map.of("secret", "s3cret\u20ac"), Script.NOBODY, Time.real()))
        .hasMessageContaining("characters that no header can carry")
        .message()
        .doesNotContain("s3cret");
  }

  private static List<String> signed(Connector connector) throws Exception {
    return connector.provider().authorization().sign(request()).headers();
  }

  private static boolean refused(Connector connector, String proof) {
    return connector.provider().authorization().refused(request("Authorization", proof));
  }

  private static WebRequest request(String... headers) {
    return new WebRequest(
        "GET",
        URI.create("http://127.0.0.1:8089/items"),
        List.of(headers),
        new byte[0],
        Duration.ofSeconds(30));
  }

  private static ConnectorFile file(String auth) throws Exception {
    return ConnectorFile.parse(
        "items.yaml",
        """
        connector: items
        config: {secret: {type: secret}}
        provider:
          base: http://127.0.0.1:8089
          auth: %s
        streams:
          items: {get: /items, key: id, pages: link-header}
        """
            .formatted(auth));
  }
}

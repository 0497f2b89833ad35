package dev.sluice.dataverse.signin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.dataverse.signin.Credential.ManagedIdentity;
import dev.sluice.dataverse.signin.Credential.WorkloadIdentity;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.HttpTransport;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.LoopbackServer;
import dev.sluice.simulator.http.Request;
import dev.sluice.simulator.http.Response;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpHeaders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens without a secret of our own: managed identities and federated ones. */
class PlatformIdentityTest {
  private static final URI AUTHORITY = URI.create("https://login.example.com");
  private static final URI ENVIRONMENT = URI.create("https://contoso.crm4.dynamics.com");
  private static final String RESOURCE = "resource=https%3A%2F%2Fcontoso.crm4.dynamics.com";
  private static final String HEADER = "h34d3r~value";
  private static final Map<String, String> APP_SERVICE =
      Map.of("IDENTITY_ENDPOINT", "http://127.0.0.1:41741/msi/token", "IDENTITY_HEADER", HEADER);

  @TempDir Path folder;

  private final List<WebRequest> requests = new ArrayList<>();

  private TokenSource source(Transport transport, Time time) {
    return new TokenSource(
        request -> {
          requests.add(request);
          return transport.send(request);
        },
        AUTHORITY,
        ENVIRONMENT,
        time,
        message -> {});
  }

  private static WebAnswer answer(int status, String json) {
    return new WebAnswer(
        status, HttpHeaders.of(Map.of(), (name, value) -> true), json.getBytes(UTF_8));
  }

  @ParameterizedTest
  @CsvSource({"'', ''", "1234, &client_id=1234"})
  void a_virtual_machine_asks_its_metadata_service(String clientId, String asked) {
    ManagedIdentity identity = ManagedIdentity.of(clientId, Map.of());
    SimulatedTime.run(
        1,
        time -> {
          TokenSource source =
              source(
                  request ->
                      answer(
                          200,
                          "{\"access_token\":\"abc\",\"expires_in\":\"86399\",\"token_type\":\"Bearer\"}"),
                  time);
          Token token = source.fetch(identity, null);
          assertThat(token.text()).isEqualTo("abc");
          assertThat(Duration.ofNanos(token.expiresAt() - time.nanos()))
              .isEqualTo(Duration.ofSeconds(86_399));
        });
    WebRequest request = requests.getFirst();
    assertThat(request.method()).isEqualTo("GET");
    assertThat(request.uri())
        .hasToString(
            "http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01&"
                + RESOURCE
                + asked);
    assertThat(String.join("|", request.headers()))
        .contains("Metadata|true")
        .doesNotContain("X-IDENTITY-HEADER");
  }

  @Test
  void an_app_asks_its_own_endpoint_which_tells_when_a_token_ends_and_not_how_long_it_lives() {
    ManagedIdentity identity = ManagedIdentity.of("1234", APP_SERVICE);
    SimulatedTime.run(
        1,
        time -> {
          long ends = time.instant().plusSeconds(7_200).getEpochSecond();
          TokenSource source =
              source(
                  request ->
                      answer(
                          200, "{\"access_token\":\"abc\",\"expires_on\":\"%d\"}".formatted(ends)),
                  time);
          Token token = source.fetch(identity, null);
          assertThat(Duration.ofNanos(token.expiresAt() - time.nanos()))
              .isBetween(Duration.ofSeconds(7_199), Duration.ofSeconds(7_200));
        });
    WebRequest request = requests.getFirst();
    assertThat(request.uri())
        .hasToString(
            "http://127.0.0.1:41741/msi/token?api-version=2019-08-01&"
                + RESOURCE
                + "&client_id=1234");
    assertThat(String.join("|", request.headers()))
        .contains("X-IDENTITY-HEADER|" + HEADER)
        .doesNotContain("Metadata");
    assertThat(identity.toString()).isEqualTo("managed identity 1234");
  }

  @Test
  void an_apps_endpoint_is_asked_over_http() throws Exception {
    List<Request> seen = new ArrayList<>();
    Time time = Time.real();
    try (LoopbackServer server =
            LoopbackServer.start(
                0,
                request -> {
                  seen.add(request);
                  return Response.of(
                      200,
                      new Headers(),
                      "{\"access_token\":\"abc\",\"expires_on\":\"4102444800\"}");
                },
                time);
        HttpTransport transport = new HttpTransport(Duration.ofSeconds(10), time)) {
      ManagedIdentity identity =
          ManagedIdentity.of(
              "",
              Map.of(
                  "IDENTITY_ENDPOINT", server.address() + "/msi/token", "IDENTITY_HEADER", HEADER));
      assertThat(source(transport, time).fetch(identity, null).text()).isEqualTo("abc");
    }
    assertThat(seen).hasSize(1);
    assertThat(seen.getFirst().path()).isEqualTo("/msi/token");
    assertThat(seen.getFirst().query()).isEqualTo("api-version=2019-08-01&" + RESOURCE);
    assertThat(seen.getFirst().headers().first("X-IDENTITY-HEADER")).isEqualTo(HEADER);
  }

  @Test
  void a_managed_identitys_token_is_renewed_by_one_caller_before_it_ends() {
    SimulatedTime.run(
        1,
        time -> {
          TokenSource source =
              source(
                  request -> {
                    time.sleep(Duration.ofSeconds(1));
                    return answer(
                        200,
                        "{\"access_token\":\"t%d\",\"expires_in\":\"3600\"}"
                            .formatted(requests.size()));
                  },
                  time);
          TokenCache cache = new TokenCache(source, ManagedIdentity.of("", Map.of()), time);
          List<Time.Task> tasks = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            tasks.add(
                time.start(
                    "caller " + i,
                    () -> {
                      try {
                        assertThat(cache.token()).isEqualTo("t1");
                      } catch (IOException | InterruptedException e) {
                        throw new AssertionError(e);
                      }
                    }));
          }
          for (Time.Task task : tasks) {
            task.join();
          }
          assertThat(requests).hasSize(1);
          time.sleep(Duration.ofMinutes(56));
          assertThat(cache.token()).isEqualTo("t2");
        });
  }

  @Test
  void one_variable_without_the_other_is_told() {
    assertThatThrownBy(
            () -> ManagedIdentity.of("", Map.of("IDENTITY_ENDPOINT", "http://127.0.0.1/msi")))
        .hasMessage(
            "IDENTITY_ENDPOINT is set, but IDENTITY_HEADER is not; App Service sets both (Azure Arc"
                + " and Service Fabric are not supported)");
    assertThatThrownBy(
            () ->
                ManagedIdentity.of(
                    "", Map.of("IDENTITY_ENDPOINT", "msi token", "IDENTITY_HEADER", HEADER)))
        .hasMessageContaining("IDENTITY_ENDPOINT is 'msi token', but must be an address")
        .message()
        .doesNotContain(HEADER);
    assertThatThrownBy(
            () ->
                ManagedIdentity.of(
                    "",
                    Map.of("IDENTITY_ENDPOINT", "http://127.0.0.1/msi", "IDENTITY_HEADER", "h\nx")))
        .hasMessage("IDENTITY_HEADER has characters that no header carries");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          400 | {"error":"invalid_request","error_description":"Identity not found"}      | Identity not found
          400 | {"statusCode":400,"message":"No User Assigned Managed Identity found"}    | No User Assigned Managed Identity found
          401 | {"Message":"Unauthorized"}                                               | status 401
          403 | <html/>                                                                  | status 403
          """)
  void an_endpoint_that_refuses_is_told_with_what_to_look_at(int status, String body, String says) {
    SimulatedTime.run(
        1,
        time ->
            assertThatThrownBy(
                    () ->
                        source(request -> answer(status, body), time)
                            .fetch(ManagedIdentity.of("1234", APP_SERVICE), null))
                .isInstanceOf(SignInException.class)
                .hasMessageStartingWith(
                    "managed identity 1234 got no token from http://127.0.0.1:41741; check that it"
                        + " is assigned to this machine or app")
                .hasMessageContaining(says)
                .message()
                .doesNotContain(HEADER));
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 410, 429, 500, 503})
  void an_endpoint_that_is_busy_or_starting_blames_nobody(int status) {
    SimulatedTime.run(
        1,
        time ->
            assertThatThrownBy(
                    () ->
                        source(request -> answer(status, "{}"), time)
                            .fetch(ManagedIdentity.of("", Map.of()), null))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining(
                    "http://169.254.169.254 gives no tokens now (status %d)".formatted(status)));
  }

  @Test
  void an_endpoint_that_answers_without_a_token_is_named() {
    SimulatedTime.run(
        1,
        time ->
            assertThatThrownBy(
                    () ->
                        source(request -> answer(200, "<html/>"), time)
                            .fetch(ManagedIdentity.of("", Map.of()), null))
                .isInstanceOf(ConnectException.class)
                .hasMessageStartingWith("http://169.254.169.254 does not answer as a sign-in"));
  }

  @Test
  void an_endpoint_that_does_not_answer_is_told_with_where_it_would() {
    SimulatedTime.run(
        1,
        time ->
            assertThatThrownBy(
                    () ->
                        source(
                                request -> {
                                  throw new ConnectException();
                                },
                                time)
                            .fetch(ManagedIdentity.of("", Map.of()), null))
                .isInstanceOf(ConnectException.class)
                .hasMessage(
                    "the managed identity endpoint http://169.254.169.254 does not answer:"
                        + " ConnectException; it is there on Azure only, and not behind a proxy"));
  }

  private static Map<String, String> form(WebRequest request) {
    Map<String, String> fields = new HashMap<>();
    for (String field : new String(request.body(), UTF_8).split("&", -1)) {
      String[] parts = field.split("=", 2);
      fields.put(parts[0], URLDecoder.decode(parts[1], UTF_8));
    }
    return fields;
  }

  private Path tokenFile() {
    return folder.resolve("azure-identity-token");
  }

  @Test
  void a_federated_token_is_read_anew_for_each_sign_in() throws IOException {
    Files.writeString(tokenFile(), "head.claims.first\n");
    WorkloadIdentity identity =
        WorkloadIdentity.of(
            "",
            "",
            Map.of(
                "AZURE_TENANT_ID",
                "t",
                "AZURE_CLIENT_ID",
                "client-1",
                "AZURE_FEDERATED_TOKEN_FILE",
                tokenFile().toString()));
    SimulatedTime.run(
        1,
        time -> {
          TokenSource source =
              source(
                  request -> answer(200, "{\"access_token\":\"abc\",\"expires_in\":3599}"), time);
          TokenCache cache = new TokenCache(source, identity, time);
          assertThat(cache.token()).isEqualTo("abc");
          Files.writeString(tokenFile(), "head.claims.second");
          time.sleep(Duration.ofMinutes(58));
          assertThat(cache.token()).isEqualTo("abc");
        });
    assertThat(requests).hasSize(2);
    assertThat(requests.getFirst().uri()).hasToString(AUTHORITY + "/t/oauth2/v2.0/token");
    assertThat(form(requests.getFirst()))
        .containsEntry("grant_type", "client_credentials")
        .containsEntry("client_id", "client-1")
        .containsEntry("scope", ENVIRONMENT + "/.default")
        .containsEntry(
            "client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
        .containsEntry("client_assertion", "head.claims.first")
        .doesNotContainKey("client_secret");
    assertThat(form(requests.getLast())).containsEntry("client_assertion", "head.claims.second");
  }

  @Test
  void what_is_given_goes_before_the_variables_and_what_is_nowhere_is_named() {
    Map<String, String> variables =
        Map.of(
            "AZURE_TENANT_ID",
            "t",
            "AZURE_CLIENT_ID",
            "c",
            "AZURE_FEDERATED_TOKEN_FILE",
            tokenFile().toString());
    assertThat(WorkloadIdentity.of("own", "mine", variables))
        .isEqualTo(new WorkloadIdentity("own", "mine", tokenFile()));
    for (String missing : variables.keySet()) {
      Map<String, String> rest = new HashMap<>(variables);
      rest.remove(missing);
      assertThatThrownBy(() -> WorkloadIdentity.of("", "", rest))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(missing);
    }
  }

  @ParameterizedTest
  @CsvSource({"'', is empty", "not-a-token, holds no token"})
  void a_file_without_a_token_is_told_and_not_quoted(String text, String says) throws IOException {
    Files.writeString(tokenFile(), text);
    assertSignInFails(says);
  }

  @Test
  void a_file_that_is_gone_is_told() {
    assertSignInFails("there is no such file");
  }

  private void assertSignInFails(String says) {
    SimulatedTime.run(
        1,
        time ->
            assertThatThrownBy(
                    () ->
                        source(request -> answer(500, ""), time)
                            .fetch(new WorkloadIdentity("t", "c", tokenFile()), null))
                .isInstanceOf(SignInException.class)
                .hasMessageContaining(tokenFile().toString())
                .hasMessageContaining(says)
                .message()
                .doesNotContain("not-a-token"));
    assertThat(requests).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "700024, outside its valid time",
    "700211, has no federated credential that fits",
    "700212, has no federated credential that fits",
    "700213, has no federated credential that fits",
    "70021, has no federated credential that fits",
    "700016, there is no application c in tenant t"
  })
  void known_numbers_become_advice(int number, String advice) {
    SignInRefusal refusal = new SignInRefusal("invalid_client", number, "AADSTS" + number);
    assertThat(refusal.explained(new WorkloadIdentity("t", "c", tokenFile()), "scope"))
        .hasMessageContaining(advice);
  }
}

package dev.sluice.simulator.dataverse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.Time;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import dev.sluice.simulator.http.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The environment as any HTTP client sees it. */
class OverHttpTest {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<ApplicationUser> users = ApplicationUser.several(2, 7);
  private final Environment environment =
      new Environment(
          EnvironmentOptions.of(users)
              .withTimes(ServiceTimes.NONE)
              .withFarm(
                  FarmOptions.DEFAULTS.withProtection(
                      ProtectionOptions.DOCUMENTED.withRequests(5))),
          Time.real(),
          7);
  private final LoopbackServer server;

  OverHttpTest() throws IOException {
    server = LoopbackServer.start(0, environment, Time.real());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_client_signs_in_asks_who_it_is_creates_a_row_and_is_throttled() throws Exception {
    String token = signIn(users.get(0)).get("access_token").asString();

    HttpResponse<String> who = send(data("WhoAmI", token).GET());
    assertThat(who.statusCode()).isEqualTo(200);
    assertThat(json(who).get("UserId").asString()).isEqualTo(users.get(0).userId().toString());
    assertThat(json(who).get("@odata.context").asString())
        .isEqualTo(
            server.address() + "/api/data/v9.2/$metadata#Microsoft.Dynamics.CRM.WhoAmIResponse");
    assertThat(who.headers().firstValue("x-ms-dop-hint")).hasValue("4");
    assertThat(who.headers().firstValue("x-ms-ratelimit-time-remaining-xrm-requests"))
        .hasValue("1,200.00");
    assertThat(who.headers().firstValue("x-ms-ratelimit-burst-remaining-xrm-requests"))
        .hasValue("4");
    assertThat(who.headers().firstValue("Set-Cookie").orElseThrow()).startsWith("ARRAffinity=");

    HttpResponse<String> created =
        send(data("accounts", token).POST(body("{\"name\":\"Fabrikam\"}")));
    assertThat(created.statusCode()).isEqualTo(204);
    assertThat(created.headers().firstValue("OData-EntityId").orElseThrow())
        .startsWith(server.address() + "/api/data/v9.2/accounts(");

    for (int i = 0; i < 3; i++) {
      assertThat(send(data("WhoAmI", token).GET()).statusCode()).isEqualTo(200);
    }
    HttpResponse<String> refused = send(data("WhoAmI", token).GET());
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.body())
        .isEqualTo(
            "{\"error\":{\"code\":\"0x80072322\",\"message\":\"Number of requests exceeded the"
                + " limit of 5 over time window of 300 seconds.\"}}");
    assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
        .isBetween(295L, 300L);
    assertThat(refused.headers().firstValue("x-ms-ratelimit-burst-remaining-xrm-requests"))
        .hasValue("0");

    String other = signIn(users.get(1)).get("access_token").asString();
    assertThat(send(data("WhoAmI", other).GET()).statusCode()).isEqualTo(200);
  }

  @Test
  void a_dropped_connection_is_one_and_the_next_request_is_answered() throws Exception {
    String token = signIn(users.get(0)).get("access_token").asString();
    environment.strike(List.of(FaultRule.next(FaultKind.DROPPED, 0, 1)));
    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(
                () -> send(data("accounts", token).POST(body("{\"name\":\"Lost\"}")))))
        .isInstanceOf(IOException.class);
    assertThat(environment.rows("account")).hasSize(1);
    assertThat(send(data("WhoAmI", token).GET()).statusCode()).isEqualTo(200);
  }

  @Test
  void a_slow_body_arrives_late_and_whole() throws Exception {
    String token = signIn(users.get(0)).get("access_token").asString();
    environment.strike(
        List.of(FaultRule.next(FaultKind.SLOW_BODY, 0, 1).lasting(Duration.ofMillis(200))));
    long start = Time.real().nanos();
    HttpResponse<String> who = send(data("WhoAmI", token).GET());
    assertThat(Time.real().nanos() - start).isGreaterThan(150_000_000);
    assertThat(json(who).get("UserId").asString()).isEqualTo(users.get(0).userId().toString());
  }

  private JsonNode signIn(ApplicationUser user) throws IOException, InterruptedException {
    HttpResponse<String> response =
        send(
            HttpRequest.newBuilder(
                    URI.create(
                        server.address() + "/" + EnvironmentOptions.TENANT + "/oauth2/v2.0/token"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(
                    body(
                        "grant_type=client_credentials&client_id=%s&client_secret=%s&scope=%s%%2F.default"
                            .formatted(user.clientId(), user.secret(), server.address()))));
    assertThat(response.statusCode()).isEqualTo(200);
    return json(response);
  }

  private HttpRequest.Builder data(String path, String token) {
    return HttpRequest.newBuilder(URI.create(server.address() + "/api/data/v9.2/" + path))
        .header("Authorization", "Bearer " + token)
        .header("Accept", "application/json");
  }

  private static HttpRequest.BodyPublisher body(String text) {
    return HttpRequest.BodyPublishers.ofString(text);
  }

  private static HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return HTTP.send(request.build(), BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> response) {
    return JsonMapper.shared().readTree(response.body());
  }
}

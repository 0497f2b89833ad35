package dev.sluice.simulator.dataverse;

import static dev.sluice.simulator.dataverse.Client.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Request;
import dev.sluice.simulator.http.Response;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The token endpoint, and what becomes of tokens. */
class SignInTest {
  private static final ApplicationUser USER = Worlds.USERS.get(0);
  private static final String GOOD =
      "grant_type=client_credentials&client_id=%s&client_secret=%s&scope=http%%3A%%2F%%2Fsim%%2F.default&client_info=1"
          .formatted(USER.clientId(), USER.secret());

  private static Response ask(Environment environment, String tenant, String form)
      throws InterruptedException {
    return (Response)
        environment.answer(
            Request.of(
                "POST", "/" + tenant + "/oauth2/v2.0/token", Headers.of("Host", "sim"), form));
  }

  private static Response who(Environment environment, String... headers)
      throws InterruptedException {
    return (Response)
        environment.answer(
            Request.of("GET", "/api/data/v9.2/WhoAmI", Headers.of(headers).add("Host", "sim")));
  }

  @Test
  void a_secret_buys_a_token_that_is_accepted_until_it_expires() {
    Worlds.in(
        Worlds.FREE.withTokenLife(Duration.ofMinutes(10)),
        (environment, time) -> {
          Response signedIn = ask(environment, EnvironmentOptions.TENANT.toString(), GOOD);
          assertThat(signedIn.status()).as(signedIn.text()).isEqualTo(200);
          assertThat(json(signedIn).get("token_type").asString()).isEqualTo("Bearer");
          assertThat(json(signedIn).get("expires_in").asInt()).isEqualTo(600);
          String token = json(signedIn).get("access_token").asString();
          time.sleep(Duration.ofMinutes(10).minusNanos(1));
          assertThat(who(environment, "Authorization", "Bearer " + token).status()).isEqualTo(200);
          time.sleep(Duration.ofNanos(1));
          assertThat(who(environment, "Authorization", "Bearer " + token).status()).isEqualTo(401);
          assertThat(environment.counters().unauthorized()).isEqualTo(1);
        });
  }

  @Test
  void an_address_without_a_tenant_is_no_token_endpoint() {
    Worlds.in(
        Worlds.FREE,
        (environment, time) -> {
          for (String path : new String[] {"/oauth2/v2.0/token", "//oauth2/v2.0/token"}) {
            Request request = Request.of("POST", path, Headers.of("Host", "sim"), GOOD);
            assertThat(((Response) environment.answer(request)).status()).as(path).isEqualTo(404);
          }
        });
  }

  @Test
  void without_a_token_the_answer_says_where_to_get_one() {
    Worlds.in(
        Worlds.FREE,
        (environment, time) -> {
          for (Response response :
              new Response[] {
                who(environment),
                who(environment, "Authorization", "Bearer nonsense"),
                who(environment, "Authorization", "Basic x")
              }) {
            assertThat(response.status()).isEqualTo(401);
            assertThat(response.body()).isEmpty();
            assertThat(response.headers().first("WWW-Authenticate"))
                .isEqualTo(
                    "Bearer authorization_uri=http://sim/%s/oauth2/authorize, resource_id=http://sim/"
                        .formatted(EnvironmentOptions.TENANT));
          }
        });
  }

  @ParameterizedTest(name = "AADSTS{2}: {0}")
  @CsvSource({
    "client_secret=simulated, client_secret=wrong, 7000215, invalid_client, 401",
    "client_secret=, other=, 7000218, invalid_client, 401",
    "client_id=, client_id=x, 700016, unauthorized_client, 400",
    "grant_type=client_credentials, grant_type=password, 70003, unsupported_grant_type, 400",
    "grant_type=client_credentials, x=y, 900144, invalid_request, 400",
    "%2F.default, '', 70011, invalid_scope, 400",
    "Fsim, Felsewhere, 500011, invalid_resource, 400"
  })
  void a_mistake_is_named_by_its_code(
      String what, String instead, int code, String error, int status) {
    Worlds.in(
        Worlds.FREE,
        (environment, time) -> {
          Response refused =
              ask(environment, EnvironmentOptions.TENANT.toString(), GOOD.replace(what, instead));
          assertThat(refused.status()).as(refused.text()).isEqualTo(status);
          assertThat(json(refused).get("error").asString()).isEqualTo(error);
          assertThat(json(refused).get("error_codes").get(0).asInt()).isEqualTo(code);
          assertThat(json(refused).get("error_description").asString())
              .startsWith("AADSTS" + code + ": ");
        });
  }

  @Test
  void another_tenant_is_not_found() {
    Worlds.in(
        Worlds.FREE,
        (environment, time) ->
            assertThat(json(ask(environment, "elsewhere", GOOD)).get("error_codes").get(0).asInt())
                .isEqualTo(90_002));
  }
}

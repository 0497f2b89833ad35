package dev.sluice.dataverse.signin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.dataverse.Worlds;
import dev.sluice.dataverse.signin.Credential.Certificate;
import dev.sluice.dataverse.signin.Credential.ClientSecret;
import dev.sluice.dataverse.signin.Credential.DeviceCode;
import dev.sluice.dataverse.signin.Credential.Signing;
import dev.sluice.dataverse.wire.Cloud;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.simulator.dataverse.ApplicationUser;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpHeaders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tokens for secrets, certificates and people. */
class SignInTest {
  private static final URI AUTHORITY = URI.create("https://login.example.com");
  private static final URI ENVIRONMENT = URI.create("https://contoso.crm4.dynamics.com");

  private static TokenSource source(Transport transport, Time time) {
    return new TokenSource(transport, AUTHORITY, ENVIRONMENT, time, message -> {});
  }

  private static WebAnswer answer(int status, String json) {
    return new WebAnswer(
        status, HttpHeaders.of(Map.of(), (name, value) -> true), json.getBytes(UTF_8));
  }

  private static Map<String, String> form(WebRequest request) {
    Map<String, String> fields = new HashMap<>();
    for (String field : new String(request.body(), UTF_8).split("&", -1)) {
      String[] parts = field.split("=", 2);
      fields.put(parts[0], URLDecoder.decode(parts[1], UTF_8));
    }
    return fields;
  }

  @Test
  void a_secret_is_exchanged_for_a_token_that_the_environment_takes() {
    Worlds.free(
        world -> {
          String token = requireNonNull(world.tokens().get("app2")).token();
          WebAnswer who =
              world
                  .transport()
                  .send(
                      new WebRequest(
                          "GET",
                          URI.create(Worlds.ADDRESS + "/api/data/v9.2/WhoAmI"),
                          List.of("Authorization", "Bearer " + token),
                          new byte[0],
                          Duration.ofSeconds(30)));
          assertThat(who.text()).contains(Worlds.USERS.get(1).userId().toString());
        });
  }

  @Test
  void a_refusal_says_what_to_do() {
    Worlds.free(
        world -> {
          ApplicationUser user = Worlds.USERS.getFirst();
          String tenant = EnvironmentOptions.TENANT.toString();
          String client = user.clientId().toString();
          TokenSource source =
              new TokenSource(
                  world.transport(), Worlds.ADDRESS, Worlds.ADDRESS, world.time(), text -> {});
          assertThatThrownBy(() -> source.fetch(new ClientSecret(tenant, client, "s3cret!"), null))
              .isInstanceOf(SignInException.class)
              .hasMessageStartingWith("the secret of application " + client + " is wrong; give")
              .hasMessageNotContaining("s3cret!")
              .extracting(e -> ((SignInException) e).code())
              .isEqualTo("AADSTS7000215");
          assertThatThrownBy(
                  () -> source.fetch(new ClientSecret("nowhere", client, user.secret()), null))
              .hasMessageStartingWith("there is no tenant nowhere; check");
          assertThatThrownBy(
                  () -> source.fetch(new ClientSecret(tenant, "nobody", user.secret()), null))
              .hasMessageStartingWith("there is no application nobody in tenant");
          TokenSource elsewhere =
              new TokenSource(
                  world.transport(),
                  Worlds.ADDRESS,
                  URI.create("http://localhost:6000"),
                  world.time(),
                  text -> {});
          assertThatThrownBy(
                  () -> elsewhere.fetch(new ClientSecret(tenant, client, user.secret()), null))
              .hasMessageContaining("does not know the environment of http://localhost:6000/");
        });
  }

  @ParameterizedTest
  @CsvSource({
    "7000222, has expired",
    "700027, does not know this certificate",
    "700024, clock is wrong",
    "70011, scope",
    "7000218, wants a secret or a certificate",
    "99999, was refused"
  })
  void known_numbers_become_advice(int number, String advice) {
    SignInRefusal refusal =
        new SignInRefusal("invalid_client", number, "AADSTS" + number + ": words\r\nTrace ID: 1");
    assertThat(refusal.explained(new ClientSecret("t", "c", "s"), "scope"))
        .hasMessageContaining(advice)
        .hasMessageEndingWith("(AADSTS" + number + ": words)");
  }

  @ParameterizedTest
  @CsvSource({"503, <html/>", "429, {}", "400, '{\"error_codes\":[50196]}'"})
  void a_sign_in_service_in_trouble_blames_nobody(int status, String body) {
    SimulatedTime.run(
        1,
        time ->
            assertThatThrownBy(
                    () ->
                        source(request -> answer(status, body), time)
                            .fetch(new ClientSecret("t", "c", "s"), null))
                .isInstanceOf(ConnectException.class));
  }

  @Test
  void without_a_sign_in_service_nothing_was_sent_to_the_other() {
    SimulatedTime.run(
        1,
        time ->
            assertThatThrownBy(
                    () ->
                        source(
                                request -> {
                                  throw new IOException("connection reset");
                                },
                                time)
                            .fetch(new ClientSecret("t", "c", "s"), null))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("does not answer: connection reset"));
  }

  @TempDir static Path folder;
  private static Path store = Path.of("made below");

  @BeforeAll
  static void make_a_certificate() throws IOException, InterruptedException {
    store = folder.resolve("app.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-alias",
                "app",
                "-dname",
                "CN=app",
                "-validity",
                "30",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                "changeit")
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
    assertThat(keytool.waitFor()).as(said).isZero();
  }

  private static String pem(String type, byte[] content) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(type, Base64.getMimeEncoder().encodeToString(content), type);
  }

  @ParameterizedTest
  @EnumSource
  void a_certificate_signs_a_statement_that_its_public_key_confirms(Signing signing)
      throws Exception {
    Certificate read = CertificateFiles.pkcs12("t", "client-1", store, "changeit".toCharArray());
    Certificate credential =
        new Certificate("t", "client-1", read.key(), read.certificate(), signing);
    List<WebRequest> requests = new ArrayList<>();
    SimulatedTime.run(
        1,
        time -> {
          TokenSource source =
              source(
                  request -> {
                    requests.add(request);
                    return answer(200, "{\"access_token\":\"abc\",\"expires_in\":3599}");
                  },
                  time);
          assertThat(source.fetch(credential, null).text()).isEqualTo("abc");
        });
    assertThat(requests.getFirst().uri()).hasToString(AUTHORITY + "/t/oauth2/v2.0/token");
    Map<String, String> form = form(requests.getFirst());
    assertThat(form)
        .containsEntry("grant_type", "client_credentials")
        .containsEntry("scope", ENVIRONMENT + "/.default")
        .doesNotContainKey("client_secret");
    String[] parts = requireNonNull(form.get("client_assertion")).split("\\.", -1);
    JsonNode header = JsonMapper.shared().readTree(Base64.getUrlDecoder().decode(parts[0]));
    JsonNode claims = JsonMapper.shared().readTree(Base64.getUrlDecoder().decode(parts[1]));
    boolean pss = signing == Signing.PS256;
    assertThat(header.get("alg").asString()).isEqualTo(signing.name());
    assertThat(Base64.getUrlDecoder().decode(header.get(pss ? "x5t#S256" : "x5t").asString()))
        .isEqualTo(
            MessageDigest.getInstance(pss ? "SHA-256" : "SHA-1")
                .digest(read.certificate().getEncoded()));
    assertThat(claims.get("aud").asString()).isEqualTo(AUTHORITY + "/t/oauth2/v2.0/token");
    assertThat(claims.get("iss").asString()).isEqualTo("client-1");
    assertThat(claims.get("exp").asLong() - claims.get("nbf").asLong()).isEqualTo(600);
    Signature signature = Signature.getInstance(pss ? "RSASSA-PSS" : "SHA256withRSA");
    if (pss) {
      signature.setParameter(
          new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
    }
    signature.initVerify(read.certificate());
    signature.update((parts[0] + "." + parts[1]).getBytes(UTF_8));
    assertThat(signature.verify(Base64.getUrlDecoder().decode(parts[2]))).isTrue();
  }

  @Test
  void certificates_are_read_from_both_kinds_of_files_and_complaints_are_clear() throws Exception {
    Certificate read = CertificateFiles.pkcs12("t", "c", store, "changeit".toCharArray());
    Path both = folder.resolve("both.pem");
    Files.writeString(
        both,
        pem("PRIVATE KEY", read.key().getEncoded())
            + pem("CERTIFICATE", read.certificate().getEncoded()));
    Certificate again = CertificateFiles.pem("t", "c", both, both);
    assertThat(again).isEqualTo(read);
    assertThat(read.toString()).isEqualTo("certificate of application c");
    assertThatThrownBy(() -> CertificateFiles.pkcs12("t", "c", store, "wrong".toCharArray()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("password");
    Path old = folder.resolve("old.pem");
    Files.writeString(old, pem("RSA PRIVATE KEY", read.key().getEncoded()));
    assertThatThrownBy(() -> CertificateFiles.pem("t", "c", old, both))
        .hasMessageContaining("RSA PRIVATE KEY")
        .hasMessageContaining("PKCS #8");
    Files.writeString(old, "nothing");
    assertThatThrownBy(() -> CertificateFiles.pem("t", "c", old, both))
        .hasMessageContaining("holds no private key");
    assertThatThrownBy(() -> CertificateFiles.pem("t", "c", both, old))
        .hasMessageContaining("holds no certificate");
  }

  @Test
  void a_refusal_tells_an_environment_of_another_cloud() {
    URI environment = URI.create("https://agency.crm.microsoftdynamics.us");
    SimulatedTime.run(
        1,
        time -> {
          TokenSource source =
              new TokenSource(
                  request -> answer(400, "{\"error\":\"invalid_request\",\"error_codes\":[90002]}"),
                  Cloud.PUBLIC.authority(),
                  environment,
                  time,
                  message -> {});
          assertThatThrownBy(() -> source.fetch(new ClientSecret("t", "c", "s"), null))
              .isInstanceOfSatisfying(
                  SignInException.class, e -> assertThat(e.code()).isEqualTo("AADSTS90002"))
              .hasMessageStartingWith("there is no tenant t")
              .hasMessageEndingWith("; " + Cloud.mismatch(environment, Cloud.PUBLIC.authority()));
        });
  }

  /** What the sign-in service answers while a person takes their time. */
  private static Transport person(List<String> polls, List<Map<String, String>> seen) {
    Function<String, WebAnswer> error =
        name -> answer(400, "{\"error\":\"%s\",\"error_description\":\"\"}".formatted(name));
    return request -> {
      seen.add(form(request));
      if (request.uri().getPath().endsWith("/devicecode")) {
        return answer(
            200,
            "{\"device_code\":\"D\",\"user_code\":\"FJ7\",\"interval\":5,\"expires_in\":900,"
                + "\"message\":\"enter FJ7\"}");
      }
      String next = polls.isEmpty() ? "authorization_pending" : polls.removeFirst();
      return next.equals("ok")
          ? answer(
              200,
              "{\"access_token\":\"A%d\",\"refresh_token\":\"R%d\",\"expires_in\":3600}"
                  .formatted(seen.size(), seen.size()))
          : error.apply(next);
    };
  }

  @Test
  void a_person_is_asked_once_and_remembered() {
    List<String> polls =
        new ArrayList<>(
            List.of("authorization_pending", "slow_down", "authorization_pending", "ok", "ok"));
    List<Map<String, String>> seen = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    SimulatedTime.run(
        1,
        time -> {
          TokenSource source =
              new TokenSource(person(polls, seen), AUTHORITY, ENVIRONMENT, time, shown::add);
          TokenCache cache =
              new TokenCache(source, new DeviceCode("organizations", "client"), time);
          long start = time.nanos();
          assertThat(cache.token()).isEqualTo("A5");
          assertThat(shown).containsExactly("enter FJ7");
          assertThat(Duration.ofNanos(time.nanos() - start))
              .isEqualTo(Duration.ofSeconds(5 + 5 + 10 + 10));
          assertThat(seen.getFirst().get("scope"))
              .contains("offline_access")
              .endsWith(ENVIRONMENT + "/user_impersonation");
          time.sleep(Duration.ofMinutes(58));
          assertThat(cache.token()).isEqualTo("A6");
          assertThat(seen.getLast())
              .containsEntry("grant_type", "refresh_token")
              .containsEntry("refresh_token", "R5");
          assertThat(shown).hasSize(1);
        });
  }

  @Test
  void a_person_who_declines_or_does_not_come_ends_it() {
    SimulatedTime.run(
        1,
        time -> {
          TokenSource declined =
              source(
                  person(new ArrayList<>(List.of("authorization_declined")), new ArrayList<>()),
                  time);
          assertThatThrownBy(() -> declined.fetch(new DeviceCode("t", "c"), null))
              .isInstanceOf(SignInException.class)
              .hasMessageStartingWith("whoever was asked to sign in has declined");
          TokenSource absent = source(person(new ArrayList<>(), new ArrayList<>()), time);
          long start = time.nanos();
          assertThatThrownBy(() -> absent.fetch(new DeviceCode("t", "c"), null))
              .isInstanceOf(SignInException.class)
              .hasMessageStartingWith("nobody signed in within the time allowed");
          assertThat(Duration.ofNanos(time.nanos() - start)).isEqualTo(Duration.ofMinutes(15));
        });
  }
}

package dev.sluice.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.ConfigurationException;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.Identity;
import dev.sluice.dataverse.signin.Credential;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdentitiesTest {
  private static final String SECRET = "s3cr3t~value";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "secret: {env: APP}",
        "secret: '${APP}'",
        "Secret: '${ APP }'",
        "clientSecret: {Env: APP}",
        "secretFile: app.secret",
        "secret_file: ./app.secret",
        "secret: {file: app.secret}"
      })
  void a_secret_comes_from_the_environment_or_a_file(String line) throws Exception {
    Files.writeString(folder.resolve("app.secret"), SECRET + "\n");
    assertThat(identities("{name: a, tenant: t, clientId: c, %s}".formatted(line)))
        .containsExactly(new Identity("a", new Credential.ClientSecret("t", "c", SECRET)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"secret: s3cr3t~value", "client_secret: s3cr3t~value", "secret: [s3cr3t~value]"})
  void a_secret_in_the_file_itself_is_refused_with_the_way_to_do_it_and_never_printed(String line) {
    assertThatThrownBy(() -> identities("{name: a, tenant: t, clientId: c, %s}".formatted(line)))
        .isInstanceOf(ConfigurationException.class)
        .message()
        .contains("sluice.yaml:4: dataverse.identities[a].secret is written into this file")
        .contains("secret: {env: NAME}", "secretFile: PATH")
        .doesNotContain(SECRET);
  }

  @Test
  void the_password_of_a_certificate_is_refused_likewise() {
    assertThatThrownBy(
            () ->
                identities("{tenant: t, clientId: c, certificate: a.p12, password: s3cr3t~value}"))
        .hasMessageContaining("dataverse.identities[1].password is written into this file")
        .message()
        .doesNotContain(SECRET);
  }

  @Test
  void a_secret_put_where_the_name_of_its_variable_belongs_is_not_printed() {
    assertThatThrownBy(() -> identities("{tenant: t, clientId: c, secret: {env: s3cr3t~value}}"))
        .hasMessageContaining("dataverse.identities[1].secret names no environment variable")
        .message()
        .doesNotContain(SECRET);
  }

  @Test
  void secrets_are_fetched_only_for_those_who_sign_in_and_all_that_are_missing_are_named()
      throws Exception {
    Configuration read =
        parse(
            """
            {name: a, tenant: t, clientId: c, secret: {env: GONE}}
                - {name: b, tenant: t, clientId: c, secretFile: gone.secret}
                - {name: c, tenant: t, clientId: c, secret: {env: BLANK}}
                - {name: d, clientId: c, secret: {env: APP}}
            """);
    assertThatThrownBy(read::dataverse)
        .message()
        .contains(
            "sluice.yaml:4: dataverse.identities[a].secret comes from the environment variable GONE,"
                + " but that is not set; export GONE=… sets it")
        .contains(
            "sluice.yaml:5: dataverse.identities[b].secretFile names "
                + folder.resolve("gone.secret")
                + ", but there is no such file")
        .contains("sluice.yaml:6: dataverse.identities[c].secret comes from")
        .contains("sluice.yaml:7: dataverse.identities[d].tenant is empty, but must be given");
  }

  @Test
  void two_of_the_same_name_are_refused() {
    assertThatThrownBy(
            () ->
                identities(
                    """
                    {name: a, tenant: t, clientId: c, deviceCode: true}
                        - {name: a, tenant: t, clientId: d, deviceCode: true}
                    """))
        .hasMessageContaining("sluice.yaml:3: dataverse.identities has two named 'a'");
  }

  @Test
  void a_person_signs_in_with_a_device_code() throws Exception {
    assertThat(identities("{name: me, tenant: t, clientId: c, device-code: true}"))
        .containsExactly(new Identity("me", new Credential.DeviceCode("t", "c")));
  }

  @Test
  void azure_gives_an_identity_to_a_machine_or_an_app() throws Exception {
    assertThat(identities("{name: vm, managedIdentity: true}"))
        .containsExactly(
            new Identity(
                "vm",
                new Credential.ManagedIdentity(
                    "", Credential.ManagedIdentity.VIRTUAL_MACHINE, "")));
    Map<String, String> app =
        Map.of("IDENTITY_ENDPOINT", "http://127.0.0.1:1/msi", "IDENTITY_HEADER", SECRET);
    assertThat(
            parse("{name: app, managed-identity: true, clientId: c}", app).dataverse().identities())
        .containsExactly(
            new Identity(
                "app",
                new Credential.ManagedIdentity("c", URI.create("http://127.0.0.1:1/msi"), SECRET)));
    assertThatThrownBy(
            () ->
                parse(
                        "{name: app, managedIdentity: true}",
                        Map.of("IDENTITY_ENDPOINT", "http://127.0.0.1:1/msi"))
                    .dataverse())
        .hasMessageContaining(
            "sluice.yaml:4: dataverse.identities[app]: IDENTITY_ENDPOINT is set, but"
                + " IDENTITY_HEADER is not");
  }

  @Test
  void a_workload_signs_in_with_a_file_that_others_renew() throws Exception {
    Path token = folder.resolve("token");
    Map<String, String> variables = new HashMap<>();
    variables.put("AZURE_TENANT_ID", "t");
    variables.put("AZURE_CLIENT_ID", "c");
    variables.put("AZURE_FEDERATED_TOKEN_FILE", token.toString());
    variables.put("AZURE_AUTHORITY_HOST", "https://login.microsoftonline.us/");
    String entry = "{name: pod, workloadIdentity: true}";
    assertThatThrownBy(() -> parse(entry, variables).dataverse())
        .hasMessageContaining(
            "sluice.yaml:4: dataverse.identities[pod].workloadIdentity:"
                + " AZURE_FEDERATED_TOKEN_FILE names "
                + token
                + ", but there is no such file");
    Files.writeString(token, "a.b.c");
    DataverseOptions options = parse(entry, variables).dataverse();
    assertThat(options.identities())
        .containsExactly(new Identity("pod", new Credential.WorkloadIdentity("t", "c", token)));
    assertThat(options.authority()).isEqualTo(URI.create("https://login.microsoftonline.us"));
    variables.put("AZURE_AUTHORITY_HOST", "login.microsoftonline.us");
    assertThatThrownBy(() -> parse(entry, variables).dataverse())
        .hasMessageContaining("AZURE_AUTHORITY_HOST is 'login.microsoftonline.us', but must be");
    variables.remove("AZURE_CLIENT_ID");
    variables.remove("AZURE_AUTHORITY_HOST");
    assertThatThrownBy(() -> parse(entry, variables).dataverse())
        .hasMessageContaining(
            "sluice.yaml:4: dataverse.identities[pod].clientId is empty, but must")
        .hasMessageContaining("AZURE_CLIENT_ID");
    variables.remove("AZURE_FEDERATED_TOKEN_FILE");
    assertThatThrownBy(() -> parse(entry, variables).dataverse())
        .hasMessageContaining(
            "dataverse.identities[pod]: AZURE_FEDERATED_TOKEN_FILE is not set, but must name");
  }

  @Test
  void a_certificate_is_read_from_pkcs12_and_from_pem_with_its_key_apart_or_beside_it()
      throws Exception {
    certificates();
    for (String line :
        List.of(
            "certificate: app.p12, password: {env: PASSWORD}",
            "certificate: app.pem, key: app.key",
            "certificate: both.pem")) {
      List<Identity> read = identities("{name: a, tenant: t, clientId: c, %s}".formatted(line));
      assertThat(read.getFirst().credential())
          .as(line)
          .isInstanceOfSatisfying(
              Credential.Certificate.class,
              one ->
                  assertThat(one.certificate().getSubjectX500Principal().getName())
                      .isEqualTo("CN=app"));
    }
    assertThatThrownBy(
            () ->
                identities("{tenant: t, clientId: c, certificate: app.p12, password: {env: APP}}"))
        .hasMessageContaining("sluice.yaml:4: dataverse.identities[1].certificate: ")
        .message()
        .doesNotContain(SECRET);
    assertThatThrownBy(() -> identities("{tenant: t, clientId: c, certificate: gone.pem}"))
        .hasMessageContaining(
            "certificate names " + folder.resolve("gone.pem") + ", but there is no");
  }

  /** Made by the JDK's own tool, which is where the tests run. */
  private void certificates() throws Exception {
    Path store = folder.resolve("app.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "app",
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-dname",
                "CN=app",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                "for-a-test",
                "-validity",
                "2")
            .redirectErrorStream(true)
            .start();
    keytool.getOutputStream().close();
    try (InputStream said = keytool.getInputStream()) {
      String words = new String(said.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(keytool.waitFor()).as(words).isZero();
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, "for-a-test".toCharArray());
    }
    String certificate = pem("CERTIFICATE", keys.getCertificate("app").getEncoded());
    String key = pem("PRIVATE KEY", keys.getKey("app", "for-a-test".toCharArray()).getEncoded());
    Files.writeString(folder.resolve("app.pem"), certificate);
    Files.writeString(folder.resolve("app.key"), key);
    Files.writeString(folder.resolve("both.pem"), key + certificate);
  }

  private static String pem(String kind, byte[] bytes) {
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
        .formatted(kind, Base64.getMimeEncoder().encodeToString(bytes));
  }

  private List<Identity> identities(String items) throws ConfigurationException, IOException {
    return parse(items).dataverse().identities();
  }

  private Configuration parse(String items) throws ConfigurationException, IOException {
    return parse(items, Map.of("APP", SECRET, "PASSWORD", "for-a-test", "BLANK", " "));
  }

  private Configuration parse(String items, Map<String, String> variables)
      throws ConfigurationException, IOException {
    Path file = folder.resolve("sluice.yaml");
    Files.writeString(
        file,
        "dataverse:\n  environment: https://contoso.crm4.dynamics.com\n  identities:\n    - "
            + items);
    return Configuration.read(file, variables);
  }
}

package dev.sluice.dataverse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.dataverse.signin.Credential;
import dev.sluice.dataverse.wire.Cloud;
import dev.sluice.dataverse.wire.Timeouts;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataverseOptionsTest {
  private static final Identity APP1 =
      new Identity("app1", new Credential.ClientSecret("tenant", "client", "s~cret"));
  private static final URI ENVIRONMENT = URI.create("https://contoso.crm4.dynamics.com");

  @Test
  void nothing_prints_a_secret() {
    assertThat(DataverseOptions.of(ENVIRONMENT, List.of(APP1)).toString())
        .contains("app1")
        .doesNotContain("s~cret");
  }

  @ParameterizedTest
  @CsvSource({
    "https://Contoso.CRM4.dynamics.com/, https://contoso.crm4.dynamics.com",
    "HTTPS://contoso.crm4.dynamics.com:8443, https://contoso.crm4.dynamics.com:8443",
    "http://localhost:5000, http://localhost:5000",
    "http://127.0.0.1:5000/, http://127.0.0.1:5000"
  })
  void an_environment_is_its_origin(String given, String kept) {
    assertThat(DataverseOptions.of(URI.create(given), List.of(APP1)).environment())
        .isEqualTo(URI.create(kept));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "contoso.crm4.dynamics.com",
        "ftp://contoso",
        "http://contoso.crm4.dynamics.com",
        "http://localhost.example.com",
        "https://contoso.crm4.dynamics.com/api/data",
        "https://contoso.crm4.dynamics.com?x=1",
        "https://user@contoso.crm4.dynamics.com"
      })
  void an_address_that_is_none_or_would_leak_secrets_is_refused(String address) {
    assertThatThrownBy(() -> DataverseOptions.of(URI.create(address), List.of(APP1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("dataverse.environment is '" + address + "', but must ");
    assertThatThrownBy(
            () ->
                DataverseOptions.of(ENVIRONMENT, List.of(APP1)).withAuthority(URI.create(address)))
        .hasMessageStartingWith("dataverse.authority is '" + address + "', but must ");
  }

  @Test
  void an_environment_signs_in_at_its_own_cloud_unless_somebody_says_otherwise() {
    URI china = URI.create("https://contoso.crm.dynamics.cn");
    assertThat(DataverseOptions.of(china, List.of(APP1)).authority())
        .isEqualTo(Cloud.CHINA.authority());
    assertThat(DataverseOptions.of(URI.create("https://a.example"), List.of(APP1)).authority())
        .isEqualTo(Cloud.PUBLIC.authority());
    URI own = URI.create("https://login.example.com");
    assertThat(DataverseOptions.of(china, List.of(APP1)).withAuthority(own).authority())
        .isEqualTo(own);
  }

  @Test
  void identities_are_there_and_differ_by_name() {
    assertThatThrownBy(() -> DataverseOptions.of(ENVIRONMENT, List.of()))
        .hasMessageContaining("dataverse.identities is empty");
    assertThatThrownBy(() -> DataverseOptions.of(ENVIRONMENT, List.of(APP1, APP1)))
        .hasMessageContaining("two named 'app1'");
    assertThatThrownBy(() -> new Identity(" ", APP1.credential()))
        .hasMessageContaining("name is blank");
    assertThatThrownBy(() -> new Credential.ClientSecret("tenant", "client", ""))
        .hasMessageContaining("credential.secret is empty");
  }

  @Test
  void versions_and_time_outs_have_their_ranges() {
    DataverseOptions options = DataverseOptions.of(ENVIRONMENT, List.of(APP1));
    assertThatThrownBy(() -> options.withApiVersion("9.2/..")).hasMessageContaining("v9.2");
    assertThatThrownBy(() -> Timeouts.DEFAULTS.withWrite(Duration.ZERO))
        .hasMessageContaining("timeouts.write is PT0S");
    assertThatThrownBy(() -> Timeouts.DEFAULTS.withRead(Duration.ofHours(2)))
        .hasMessageContaining("timeouts.read is PT2H");
  }
}

package dev.sluice.dataverse.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CloudTest {
  @ParameterizedTest
  @CsvSource({
    "https://contoso.crm4.dynamics.com, public, https://login.microsoftonline.com",
    "https://contoso.api.crm.dynamics.com, public, https://login.microsoftonline.com",
    "https://agency.crm9.dynamics.com, public, https://login.microsoftonline.com",
    "https://agency.crm.microsoftdynamics.us, us-gov, https://login.microsoftonline.us",
    "https://agency.api.crm.microsoftdynamics.us, us-gov, https://login.microsoftonline.us",
    "https://agency.crm.appsplatform.us, us-dod, https://login.microsoftonline.us",
    "https://contoso.crm.dynamics.cn, china, https://login.partner.microsoftonline.cn"
  })
  void a_domain_tells_the_cloud_and_the_cloud_where_to_sign_in(
      URI environment, String name, URI authority) {
    assertThat(Cloud.of(environment))
        .hasValueSatisfying(
            cloud -> {
              assertThat(cloud.wireName()).isEqualTo(name);
              assertThat(cloud.authority()).isEqualTo(authority);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost:5000",
        "https://contoso.example",
        "https://notdynamics.com",
        "https://contoso.crm.dynamics.com.example"
      })
  void another_domain_tells_nothing(URI environment) {
    assertThat(Cloud.of(environment)).isEmpty();
    assertThat(Cloud.mismatch(environment, Cloud.CHINA.authority())).isEmpty();
  }

  @Test
  void an_environment_that_signs_in_at_another_cloud_is_told_so() {
    assertThat(
            Cloud.mismatch(
                URI.create("https://agency.crm.microsoftdynamics.us"), Cloud.PUBLIC.authority()))
        .isEqualTo(
            "https://agency.crm.microsoftdynamics.us is in the cloud us-gov, which signs in at"
                + " https://login.microsoftonline.us and not at https://login.microsoftonline.com;"
                + " set cloud: us-gov");
  }

  @ParameterizedTest
  @CsvSource({
    "https://agency.crm.appsplatform.us, https://login.microsoftonline.us",
    "https://contoso.crm.dynamics.cn, https://login.chinacloudapi.cn",
    "https://contoso.crm.dynamics.cn, https://login.example.com",
    "https://contoso.crm.dynamics.com, http://localhost:5000"
  })
  void an_authority_that_fits_or_that_nobody_knows_is_no_mismatch(URI environment, URI authority) {
    assertThat(Cloud.mismatch(environment, authority)).isEmpty();
  }
}

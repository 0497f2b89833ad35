package dev.sluice.dataverse.wire;

import dev.sluice.control.signal.WireName;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A cloud: where its environments are, and where their identities sign in. */
public enum Cloud implements WireName {
  /** The public cloud, and the GCC of the United States ({@code crm9}). */
  PUBLIC("https://login.microsoftonline.com", "dynamics.com"),
  /** GCC High of the United States. */
  US_GOV("https://login.microsoftonline.us", "microsoftdynamics.us"),
  /** The Department of Defense of the United States. */
  US_DOD("https://login.microsoftonline.us", "appsplatform.us"),
  /** China, operated by 21Vianet. */
  CHINA("https://login.partner.microsoftonline.cn", "dynamics.cn");

  private final URI authority;
  private final String domain;

  Cloud(String authority, String domain) {
    this.authority = URI.create(authority);
    this.domain = domain;
  }

  /** Where identities sign in. */
  public URI authority() {
    return authority;
  }

  @Override
  public String wireName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The cloud that an environment is in, by its domain; empty if that is none that we know. */
  public static Optional<Cloud> of(URI environment) {
    String host = String.valueOf(environment.getHost()).toLowerCase(Locale.ROOT);
    return Arrays.stream(values()).filter(cloud -> host.endsWith("." + cloud.domain)).findFirst();
  }

  /**
   * What is wrong if an environment of one cloud signs in at another; empty if nothing is, as far
   * as the addresses tell.
   */
  public static String mismatch(URI environment, URI authority) {
    boolean foreign = Arrays.stream(values()).anyMatch(cloud -> cloud.authority.equals(authority));
    return of(environment)
        .filter(cloud -> foreign && !cloud.authority.equals(authority))
        .map(
            cloud ->
                "%s is in the cloud %s, which signs in at %s and not at %s; set cloud: %2$s"
                    .formatted(environment, cloud.wireName(), cloud.authority, authority))
        .orElse("");
  }
}

package dev.sluice.dataverse.wire;

import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Addresses that tokens are sent to: scheme, host and port, and nothing else. */
public final class Origin {
  private Origin() {}

  /**
   * An address as configured, its letters small and without a slash at the end.
   *
   * @param option what the address is called, for the message
   * @throws IllegalArgumentException if it has no host, has a path or a query, or would send
   *     secrets over plain http to another machine
   */
  public static URI of(String option, URI address) {
    String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
    @Nullable String host = address.getHost();
    if (host == null || !(scheme.equals("https") || scheme.equals("http"))) {
      throw refused(option, address, "must be like https://contoso.crm4.dynamics.com");
    }
    String path = address.getRawPath();
    if (!(path.isEmpty() || path.equals("/"))
        || address.getRawQuery() != null
        || address.getRawFragment() != null
        || address.getRawUserInfo() != null) {
      throw refused(option, address, "must end after its host, without a path");
    }
    if (scheme.equals("http") && !isThisMachine(host)) {
      throw refused(
          option,
          address,
          "must start with https:// (secrets are sent there; http is for this" + " machine only)");
    }
    String port = address.getPort() < 0 ? "" : ":" + address.getPort();
    return URI.create(scheme + "://" + host.toLowerCase(Locale.ROOT) + port);
  }

  private static boolean isThisMachine(String host) {
    return host.equalsIgnoreCase("localhost") || host.equals("127.0.0.1") || host.equals("[::1]");
  }

  private static IllegalArgumentException refused(String option, URI address, String range) {
    return new IllegalArgumentException("%s is '%s', but %s".formatted(option, address, range));
  }
}

package dev.sluice.cli.config;

import dev.sluice.config.Reading;
import dev.sluice.config.SecretSource;
import dev.sluice.config.Section;
import dev.sluice.dataverse.Identity;
import dev.sluice.dataverse.signin.CertificateFiles;
import dev.sluice.dataverse.signin.Credential;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * An identity as the configuration describes it, its secret not yet fetched.
 *
 * @param section where it is described
 */
record IdentityEntry(Section section, String name, String tenant, String clientId, Proof proof) {

  /** The variable with which the platform of a workload says where to sign in. */
  static final String AUTHORITY_HOST = "AZURE_AUTHORITY_HOST";

  /** What it signs in with. */
  sealed interface Proof {

    /** A secret that is somewhere else. */
    record Secret(SecretSource source) implements Proof {}

    /**
     * A certificate in a file.
     *
     * @param key the file of its key, if that is another one
     * @param password of a PKCS #12 file
     */
    record Certificate(Path file, Optional<Path> key, Optional<SecretSource> password)
        implements Proof {

      /** By the end of its name, as these files are commonly called. */
      boolean isPkcs12() {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return name.endsWith(".p12") || name.endsWith(".pfx");
      }
    }

    /** A person with a browser. */
    record DeviceCode() implements Proof {}

    /** What Azure gives to this machine or app. */
    record Managed() implements Proof {}

    /** A token that the platform of this workload keeps in a file. */
    record Workload() implements Proof {}
  }

  /**
   * Reads one.
   *
   * @param commonTenant the tenant of those that name none
   * @param number its place in the list, which names those that have no name
   * @return empty if it does not say how to sign in
   */
  static Optional<IdentityEntry> read(Section section, Optional<String> commonTenant, int number) {
    section.alias("tenant", "tenantId");
    section.alias("secret", "clientSecret");
    String name = section.text("name").orElse("app" + number);
    String tenant = section.text("tenant").or(() -> commonTenant).orElse("");
    String clientId = section.text("clientId").orElse("");
    Optional<Proof> secret = SecretSource.read(section, "secret").map(Proof.Secret::new);
    Optional<Path> certificate = section.file("certificate");
    Optional<Path> key = section.file("key");
    Optional<SecretSource> password = SecretSource.read(section, "password");
    boolean deviceCode = section.flag("deviceCode").orElse(false);
    boolean managed = section.flag("managedIdentity").orElse(false);
    boolean workload = section.flag("workloadIdentity").orElse(false);
    section.close();
    Map<String, Optional<Proof>> given = new LinkedHashMap<>();
    if (section.has("secret") || section.has("secretFile")) {
      given.put("a secret", secret);
    }
    if (section.has("certificate")) {
      given.put(
          "a certificate", certificate.map(file -> new Proof.Certificate(file, key, password)));
    }
    if (managed) {
      given.put("managedIdentity", Optional.of(new Proof.Managed()));
    }
    if (workload) {
      given.put("workloadIdentity", Optional.of(new Proof.Workload()));
    }
    if (deviceCode) {
      given.put("deviceCode", Optional.of(new Proof.DeviceCode()));
    }
    if (given.size() != 1) {
      section
          .reading()
          .mistake(
              section.line(),
              "%s has %s, but must have one of secret, secretFile, certificate, managedIdentity, workloadIdentity and deviceCode"
                  .formatted(
                      section.path(),
                      given.isEmpty()
                          ? "no way to sign in"
                          : String.join(" and ", given.keySet())));
      return Optional.empty();
    }
    return given
        .values()
        .iterator()
        .next()
        .map(how -> new IdentityEntry(section, name, tenant, clientId, how));
  }

  /** With its secret; empty, and a mistake, if that or something else is missing. */
  Optional<Identity> resolve(Reading reading) {
    Section here = section.in(reading);
    Optional<Credential> credential =
        switch (proof) {
          case Proof.DeviceCode person ->
              here.build(() -> new Credential.DeviceCode(tenant, clientId));
          case Proof.Secret secret ->
              secret
                  .source()
                  .fetch(reading)
                  .flatMap(
                      text ->
                          here.build(() -> new Credential.ClientSecret(tenant, clientId, text)));
          case Proof.Certificate certificate -> certificate(here, certificate);
          case Proof.Managed managed ->
              here.build(() -> Credential.ManagedIdentity.of(clientId, reading.variables()));
          case Proof.Workload workload -> workload(here);
        };
    return credential.flatMap(how -> here.build(() -> new Identity(name, how)));
  }

  private Optional<Credential> workload(Section here) {
    Optional<Credential.WorkloadIdentity> identity =
        here.build(
            () -> Credential.WorkloadIdentity.of(tenant, clientId, here.reading().variables()));
    if (identity.isPresent() && Files.notExists(identity.get().tokenFile())) {
      here.reading()
          .mistake(
              here.line("workloadIdentity"),
              "%s: AZURE_FEDERATED_TOKEN_FILE names %s, but there is no such file"
                  .formatted(here.at("workloadIdentity"), identity.get().tokenFile()));
      return Optional.empty();
    }
    return identity.map(one -> one);
  }

  private Optional<Credential> certificate(Section here, Proof.Certificate certificate) {
    Optional<String> password =
        certificate.password().isEmpty()
            ? Optional.of("")
            : certificate.password().get().fetch(here.reading());
    if (password.isEmpty()) {
      return Optional.empty();
    }
    try {
      Credential read =
          certificate.isPkcs12()
              ? CertificateFiles.pkcs12(
                  tenant, clientId, certificate.file(), password.get().toCharArray())
              : CertificateFiles.pem(
                  tenant,
                  clientId,
                  certificate.key().orElse(certificate.file()),
                  certificate.file());
      return Optional.of(read);
    } catch (NoSuchFileException e) {
      here.mistake("certificate", "names %s, but there is no such file".formatted(e.getFile()));
    } catch (IOException e) {
      here.reading()
          .mistake(here.line("certificate"), here.at("certificate") + ": " + e.getMessage());
    } catch (IllegalArgumentException e) {
      return here.build(
          () -> {
            throw e;
          });
    }
    return Optional.empty();
  }
}

package dev.sluice.runs.store;

import static java.util.Objects.requireNonNullElse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a PostgreSQL database is, as {@code postgresql://server:port/database}, with the driver's
 * settings behind a question mark if there are any ({@code ?sslmode=verify-full}). Immutable; has
 * nothing in it that must not be shown.
 *
 * @param servers one server with or without port, or several with commas between them
 * @param database the name of the database
 * @param schema the schema in it that the store's tables are in; {@code ?currentSchema=} names
 *     another than {@link #SCHEMA}, so that one database can have several stores
 * @param settings the driver's other settings, as they were written; empty for none
 */
public record DatabaseAddress(String servers, String database, String schema, String settings) {
  /** The schema that is used if none is named. */
  public static final String SCHEMA = "sluice";

  private static final String NAMES_SCHEMA = "currentSchema=";
  private static final Pattern FORM =
      Pattern.compile("(?:jdbc:)?postgres(?:ql)?://([^/?]+)/([^/?@]+)(?:\\?(.*))?");
  private static final Pattern PREFIX = Pattern.compile("(?:jdbc:)?postgres(?:ql)?:");
  private static final Pattern PLAIN_NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

  public DatabaseAddress {
    if (servers.contains("@") || namesSecrets(settings)) {
      throw new IllegalArgumentException(
          "the address of the database has a user or a password in it; give them apart from it,"
              + " since addresses are shown and logged");
    }
    if (!PLAIN_NAME.matcher(schema).matches()) {
      throw new IllegalArgumentException(
          "currentSchema is '%s', but must be 1 to 63 lower-case letters, digits and '_', and"
                  .formatted(schema)
              + " begin with no digit: it names the schema that the store's tables are in");
    }
  }

  private static boolean namesSecrets(String settings) {
    return Arrays.stream(settings.split("&", -1))
        .map(setting -> setting.replaceFirst("=.*", "").toLowerCase(Locale.ROOT))
        .anyMatch(name -> name.equals("user") || name.contains("password"));
  }

  /** Whether a text is meant as the address of a database, rather than as the name of a file. */
  public static boolean isMeantBy(String text) {
    return PREFIX.matcher(text).lookingAt();
  }

  /**
   * Reads an address, with or without {@code jdbc:} before it.
   *
   * @throws IllegalArgumentException if it is none, or has a user or a password in it; the message
   *     does not repeat it then
   */
  public static DatabaseAddress of(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "the address of a database must look like postgresql://server:5432/database, with the"
              + " driver's settings behind a '?' if there are any");
    }
    String schema = SCHEMA;
    List<String> others = new ArrayList<>();
    for (String setting : requireNonNullElse(parts.group(3), "").split("&", -1)) {
      if (setting.startsWith(NAMES_SCHEMA)) {
        schema = setting.substring(NAMES_SCHEMA.length());
      } else {
        others.add(setting);
      }
    }
    return new DatabaseAddress(parts.group(1), parts.group(2), schema, String.join("&", others));
  }

  /** For the driver. */
  String jdbc() {
    return "jdbc:postgresql://%s/%s?%s".formatted(servers, database, settings);
  }

  /** For people: without the settings. */
  @Override
  public String toString() {
    return "postgresql://"
        + servers
        + "/"
        + database
        + (schema.equals(SCHEMA) ? "" : "?" + NAMES_SCHEMA + schema);
  }
}

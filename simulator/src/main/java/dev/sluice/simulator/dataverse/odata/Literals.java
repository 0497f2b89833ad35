package dev.sluice.simulator.dataverse.odata;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.store.Column;
import dev.sluice.simulator.dataverse.store.Reference;
import dev.sluice.simulator.dataverse.store.Table;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Values as addresses and filters write them, and how values compare. */
final class Literals {
  private static final int GUID_LENGTH = 36;

  private Literals() {}

  /** The value that a literal has in a column; null for the literal {@code null}. */
  static @Nullable Object parse(Column column, String literal) throws WebApiException {
    if (literal.equals("null")) {
      return null;
    }
    try {
      return switch (column.type()) {
        case STRING, MEMO -> unquoted(literal);
        case INTEGER, CHOICE, STATE, STATUS -> Integer.valueOf(literal);
        case BIGINT -> Long.valueOf(literal);
        case DECIMAL, MONEY -> new BigDecimal(literal);
        case DOUBLE -> Double.valueOf(literal);
        case BOOLEAN -> truth(literal);
        case DATE_TIME -> moment(bare(literal));
        case DATE_ONLY -> LocalDate.parse(bare(literal).substring(0, 10));
        case LOOKUP, UNIQUE_ID -> guid(bare(literal));
      };
    } catch (IllegalArgumentException | DateTimeException | StringIndexOutOfBoundsException e) {
      throw Errors.badRequest(
          "The literal '%s' cannot be compared with the property '%s' of type '%s'."
              .formatted(literal, column.readName(), column.type().edmType()));
    }
  }

  static String unquoted(String literal) {
    if (literal.length() < 2 || !literal.startsWith("'") || !literal.endsWith("'")) {
      throw new IllegalArgumentException("not a text: " + literal);
    }
    return literal.substring(1, literal.length() - 1).replace("''", "'");
  }

  private static String bare(String literal) {
    return literal.startsWith("'") ? unquoted(literal) : literal;
  }

  private static Boolean truth(String literal) {
    return switch (literal) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(literal);
    };
  }

  /** A moment, with exactly one designator of its zone, to the second. */
  static Instant moment(String text) {
    if (text.length() == 10) {
      return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
    }
    Instant moment =
        text.endsWith("Z") ? Instant.parse(text) : OffsetDateTime.parse(text).toInstant();
    return moment.truncatedTo(ChronoUnit.SECONDS);
  }

  /** An id in its full length, perhaps in braces. */
  static UUID guid(String text) {
    String bare =
        text.startsWith("{") && text.endsWith("}") ? text.substring(1, text.length() - 1) : text;
    if (bare.length() != GUID_LENGTH) {
      throw new IllegalArgumentException("not an id: " + text);
    }
    return UUID.fromString(bare);
  }

  /** Orders two values of one column; texts without regard to case. */
  static int compare(Object one, Object other) {
    return switch (one) {
      case String text -> text.compareToIgnoreCase((String) other);
      case BigDecimal number -> number.compareTo((BigDecimal) other);
      case Integer number -> number.compareTo((Integer) other);
      case Long number -> number.compareTo((Long) other);
      case Double number -> number.compareTo((Double) other);
      case Boolean truth -> truth.compareTo((Boolean) other);
      case Instant moment -> moment.compareTo((Instant) other);
      case LocalDate day -> day.compareTo((LocalDate) other);
      case UUID id -> Table.compare(id, idOf(other));
      case Reference reference -> Table.compare(reference.id(), idOf(other));
      default -> throw new IllegalArgumentException("not a value: " + one);
    };
  }

  private static UUID idOf(Object value) {
    return value instanceof Reference reference ? reference.id() : (UUID) value;
  }
}

package dev.sluice.dataverse.message;

import static java.util.Objects.requireNonNull;

import dev.sluice.dataverse.table.Table;
import dev.sluice.gate.wire.PercentEncoding;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which row of a table is meant. Immutable; equal keys mean the same row. */
public sealed interface RecordKey {

  /** The row's address below the Web API's path, encoded: {@code accounts(accountnumber='A-1')}. */
  default String address(Table table) {
    String predicate =
        switch (this) {
          case Id(UUID id, String partition) when partition != null ->
              "%s=%s,partitionid='%s'"
                  .formatted(table.primaryId(), id, partition.replace("'", "''"));
          case Id(UUID id, String none) -> id.toString();
          case Alternate(String text) -> text;
        };
    return table.entitySet() + "(" + PercentEncoding.encode(predicate) + ")";
  }

  /** Whether this is the primary key that the service writes so. */
  default boolean isId(String text) {
    if (!(this instanceof Id(UUID id, String partition))) {
      return false;
    }
    String own = id.toString();
    return own.equals(text) || own.equalsIgnoreCase(text);
  }

  /**
   * By the primary key.
   *
   * @param partition of an elastic table's row; null for none
   */
  record Id(UUID id, @Nullable String partition) implements RecordKey {
    public Id {
      requireNonNull(id, "id");
    }

    /** A row of a standard table. */
    public Id(UUID id) {
      this(id, null);
    }
  }

  /**
   * By an alternate key.
   *
   * @param predicate as it stands between the parentheses of an address, before it is encoded:
   *     {@code accountnumber='A-1'}
   */
  record Alternate(String predicate) implements RecordKey {
    private static final Pattern MARKS = Pattern.compile("\\p{M}+");
    private static final Pattern BLANKS_AT_END = Pattern.compile("\\s+'");

    public Alternate {
      requireNonNull(predicate, "predicate");
    }

    /**
     * Equal for keys that are one to the service's database, which ignores case, accents and blanks
     * at the end, and to which ß is ss; perhaps for others, too.
     */
    public String folded() {
      String plain =
          predicate.chars().allMatch(c -> c < 128)
              ? predicate
              : MARKS
                  .matcher(Normalizer.normalize(predicate, Form.NFKD))
                  .replaceAll("")
                  .toLowerCase(Locale.ROOT); // a capital ß has no other capitals
      return BLANKS_AT_END.matcher(plain.toUpperCase(Locale.ROOT)).replaceAll("'");
    }
  }
}

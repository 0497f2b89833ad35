package dev.sluice.load.mapping;

import static java.util.stream.Collectors.joining;

import dev.sluice.dataverse.table.Column.Range;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Numbers, written without exponent: the service takes none. */
final class Numbers implements Converter {
  static final Range INTEGERS = range(Integer.MIN_VALUE, Integer.MAX_VALUE);
  static final Range BIG_INTEGERS = range(Long.MIN_VALUE, Long.MAX_VALUE);

  /** Whole numbers as programs write them. */
  static final Numbers INTEGER = new Numbers(true, INTEGERS, null, null);

  /** More digits on either side than any column holds; bounds what an exponent can make. */
  private static final int MOST_DIGITS = 40;

  private static final int SAFE_DIGITS = 18;

  private final boolean whole;
  private final @Nullable Range range;
  private final long least;
  private final long most;
  private final @Nullable NumberFormat format;
  private final @Nullable DecimalComma comma;

  /**
   * Numbers of a column.
   *
   * @param whole whether they have no decimals
   * @param range what the column holds; null for any number
   * @param format how they are written; null for a decimal point and nothing between thousands
   * @param comma what speaks against that; null for nothing, whatever the values are
   */
  Numbers(
      boolean whole,
      @Nullable Range range,
      @Nullable NumberFormat format,
      @Nullable DecimalComma comma) {
    this.whole = whole;
    this.range = range;
    this.least = range == null ? Long.MIN_VALUE : range.least().longValue();
    this.most = range == null ? Long.MAX_VALUE : range.most().longValue();
    this.format = format;
    this.comma = comma;
  }

  private static Range range(long least, long most) {
    return new Range(BigDecimal.valueOf(least), BigDecimal.valueOf(most));
  }

  @Override
  public boolean write(String value, StringBuilder json) {
    boolean ambiguous = comma != null && NumberFormat.mayBeThousands(value, '.');
    if (ambiguous && whyAmbiguous() != null) {
      return false;
    }
    String number = format == null ? value : format.plain(value);
    boolean written = number != null && (whole ? writeWhole(number, json) : writeAny(number, json));
    if (comma != null) {
      if (!written) {
        comma.hasRefused(value);
      } else if (ambiguous) {
        comma.hasRead(value);
      }
    }
    return written;
  }

  /** Why a point before three digits is not just read as a decimal point; null if it is. */
  private @Nullable String whyAmbiguous() {
    if (comma == null) {
      return null;
    }
    return whole ? "the column holds whole numbers" : comma.reason();
  }

  private boolean writeWhole(String number, StringBuilder json) {
    if (digits(number)) {
      long whole = Long.parseLong(number);
      json.append(whole);
      return whole >= least && whole <= most;
    }
    BigDecimal exact = parsed(number); // 12.0 and 1e3 are whole, too
    if (exact == null || !holds(exact)) {
      return false;
    }
    json.append(exact.longValueExact());
    return true;
  }

  private boolean writeAny(String number, StringBuilder json) {
    boolean plain = plain(number);
    if (plain && range == null) {
      json.append(number);
      return true;
    }
    BigDecimal exact = parsed(number);
    if (exact == null || !holds(exact)) {
      return false;
    }
    json.append(plain ? number : exact.toPlainString());
    return true;
  }

  private boolean holds(BigDecimal number) {
    return (range == null || range.contains(number))
        && (!whole || number.stripTrailingZeros().scale() <= 0);
  }

  @Override
  public String expected(String value) {
    String advice = comma == null ? "" : advice(value);
    String why = whyAmbiguous();
    if (!advice.isEmpty() && why != null && NumberFormat.mayBeThousands(value, '.')) {
      return "the point may separate thousands, because " + why + advice;
    }
    String what = what(format == null ? parsed(value) : read(format, value));
    return what + " is expected" + advice + (comma == null ? "" : comma.remark());
  }

  private String what(@Nullable BigDecimal number) {
    String written = format == null ? "" : "written as " + format.text();
    if (whole) {
      return "a whole number" + bounds() + (format == null ? "" : ", " + written + ",");
    }
    if (number != null) {
      return "a number" + bounds();
    }
    return "a number "
        + (format == null ? "such as -1234.5, without thousands separators," : written);
  }

  private String bounds() {
    return range == null
        ? ""
        : " from %s to %s".formatted(plain(range.least()), plain(range.most()));
  }

  private static String plain(BigDecimal number) {
    return number.stripTrailingZeros().toPlainString();
  }

  /** The formats by which the column could hold a value, with what it would hold. */
  private String advice(String value) {
    Map<String, NumberFormat> formats = new LinkedHashMap<>();
    for (NumberFormat each : NumberFormat.FREQUENT) {
      BigDecimal number = read(each, value);
      if (number != null && holds(number)) {
        formats.putIfAbsent(number.toPlainString(), each);
      }
    }
    return formats.entrySet().stream()
        .map(each -> each.getValue().setting() + " to read " + each.getKey())
        .collect(joining(", or ", formats.isEmpty() ? "" : "; say in a mapping ", ""));
  }

  /** What a value is in a format; null if it is written in another way. */
  static @Nullable BigDecimal read(NumberFormat format, String value) {
    String number = format.plain(value);
    return number == null ? null : parsed(number);
  }

  private static boolean digits(String value) {
    int start = value.charAt(0) == '-' ? 1 : 0;
    int length = value.length() - start;
    return length > 0 && length <= SAFE_DIGITS && digits(value, start, value.length());
  }

  private static boolean digits(String value, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = value.charAt(i);
      if (c < '0' || c > '9') {
        return false;
      }
    }
    return from < to;
  }

  /** Whether it is a JSON number without exponent as it stands. */
  private static boolean plain(String value) {
    if (value.length() > MOST_DIGITS) {
      return false;
    }
    int start = value.charAt(0) == '-' ? 1 : 0;
    int point = value.indexOf('.');
    int end = point < 0 ? value.length() : point;
    return digits(value, start, end)
        && (value.charAt(start) != '0' || end == start + 1)
        && (point < 0 || digits(value, point + 1, value.length()));
  }

  private static @Nullable BigDecimal parsed(String value) {
    if (value.length() > 2 * MOST_DIGITS) {
      return null;
    }
    try {
      BigDecimal number = new BigDecimal(value);
      return Math.abs((long) number.scale()) > MOST_DIGITS || number.precision() > MOST_DIGITS
          ? null
          : number;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}

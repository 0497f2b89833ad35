package dev.sluice.load.mapping;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Numbers, written without exponent: the service takes none. */
enum Numbers implements Converter {
  INTEGER("a whole number from -2147483648 to 2147483647") {
    @Override
    public boolean write(String value, StringBuilder json) {
      return whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE, json);
    }
  },
  BIG_INTEGER("a whole number of at most 18 digits or so") {
    @Override
    public boolean write(String value, StringBuilder json) {
      return whole(value, Long.MIN_VALUE, Long.MAX_VALUE, json);
    }
  },
  DECIMAL("a number such as -1234.5, without thousands separators,") {
    @Override
    public boolean write(String value, StringBuilder json) {
      if (plain(value)) {
        json.append(value);
        return true;
      }
      BigDecimal number = parsed(value);
      if (number == null) {
        return false;
      }
      json.append(number.toPlainString());
      return true;
    }
  };

  /** More digits on either side than any column holds; bounds what an exponent can make. */
  private static final int MOST_DIGITS = 40;

  private static final int SAFE_DIGITS = 18;

  private final String what;

  Numbers(String what) {
    this.what = what;
  }

  @Override
  public String expected(String value) {
    return what + " is expected";
  }

  private static boolean whole(String value, long least, long most, StringBuilder json) {
    long number;
    if (digits(value)) {
      number = Long.parseLong(value);
    } else {
      BigDecimal exact = parsed(value); // 12.0 and 1e3 are whole, too
      if (exact == null) {
        return false;
      }
      try {
        number = exact.longValueExact();
      } catch (ArithmeticException e) {
        return false;
      }
    }
    if (number < least || number > most) {
      return false;
    }
    json.append(number);
    return true;
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

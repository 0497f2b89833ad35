package dev.sluice.load.run;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many rejected records end a load. Immutable. */
public sealed interface RejectLimit {
  /** So many records must have their outcome before their share tells anything. */
  int SAMPLE = 1_000;

  /** Ends a load whose first {@value #SAMPLE} records are all rejected, and no other. */
  RejectLimit DEFAULT = new NotAll();

  /**
   * Whether a load must end.
   *
   * @param inLoad records that were rejected, by this run and those that it continues
   * @param inRun records that this run rejected
   * @param settled records that this run rejected or got in
   */
  boolean isExceeded(long inLoad, long inRun, long settled);

  /** As it is written. */
  String text();

  /** So many records of a load, in all its runs together. */
  record Count(long most) implements RejectLimit {
    public Count {
      if (most < 0) {
        throw new IllegalArgumentException("most is " + most + ", but must be 0 or more");
      }
    }

    @Override
    public boolean isExceeded(long inLoad, long inRun, long settled) {
      return inLoad > most;
    }

    @Override
    public String text() {
      return Long.toString(most);
    }
  }

  /**
   * A share of what a run has settled, once that is {@value #SAMPLE} records; of this run alone, so
   * that the next one can show that the cause is mended.
   *
   * @param percent 0 to 100
   */
  record Share(double percent) implements RejectLimit {
    public Share {
      if (!(percent >= 0 && percent <= 100)) {
        throw new IllegalArgumentException("percent is " + percent + ", but must be 0 to 100");
      }
    }

    @Override
    public boolean isExceeded(long inLoad, long inRun, long settled) {
      return settled >= SAMPLE && inRun > settled * percent / 100;
    }

    @Override
    public String text() {
      return (percent == Math.rint(percent) ? Long.toString((long) percent) : percent) + "%";
    }
  }

  /** All of the first records that a run settles. */
  record NotAll() implements RejectLimit {
    @Override
    public boolean isExceeded(long inLoad, long inRun, long settled) {
      return settled >= SAMPLE && inRun == settled;
    }

    @Override
    public String text() {
      return "all of the first %,d".formatted(SAMPLE);
    }
  }

  /**
   * Reads a count ({@code 500}) or a share ({@code 5%}).
   *
   * @throws IllegalArgumentException if it is neither; the message says what is expected
   */
  static RejectLimit parse(String text) {
    Matcher written = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,6})?) ?(%?)").matcher(text.strip());
    if (written.matches()) {
      String number = written.group(1);
      if (!written.group(2).isEmpty() && Double.parseDouble(number) <= 100) {
        return new Share(Double.parseDouble(number));
      } else if (written.group(2).isEmpty() && !number.contains(".")) {
        return new Count(Long.parseLong(number));
      }
    }
    throw new IllegalArgumentException(
        "is '%s', but must be a number of records like 500, or a share like 5%%".formatted(text));
  }
}

package dev.sluice.load.reject;

import dev.sluice.load.Rejection;
import dev.sluice.load.input.Format;
import dev.sluice.load.input.Input;
import dev.sluice.load.input.InputOptions;
import dev.sluice.load.input.Layout;
import dev.sluice.load.input.RawRecord;
import dev.sluice.load.input.RecordReader;
import dev.sluice.load.reject.RejectReasons.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Counts rejected records by reason: the code, and the message without what differs from record to
 * record (values in quotes, ids, numbers). Not thread-safe.
 */
final class ReasonCounter {
  /** More reasons than this are not kept apart: a message may be different for every record. */
  private static final int MOST_KEPT = 1_000;

  private static final int LONGEST_MESSAGE = 200;

  /** The line, what is wrong, and perhaps the line that had the same key before. */
  private static final Pattern LINE =
      Pattern.compile("line (\\d{1,18}): (.*?)(?:; line \\d+ has the same key)?", Pattern.DOTALL);

  private static final Pattern VARIABLE =
      Pattern.compile(
          "'([^']*)'|\"([^\"]*)\"|\\{?\\b\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}\\b\\}?"
              + "|\\b\\d+(?:[.,]\\d+)*\\b");
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final int LONGEST_RECORD = 1 << 29;

  private final Set<String> names = new HashSet<>();
  private final Map<String, Reason> reasons = new HashMap<>();
  private long others;

  /** Keeps reasons apart that differ by one of these names. */
  ReasonCounter(Collection<String> ofTable, Collection<String> ofInput) {
    ofTable.forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
    ofInput.forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
  }

  /**
   * A record was rejected.
   *
   * @param line on which it starts in the input; what the message says goes before that
   */
  void add(String code, String message, long line) {
    Matcher told = LINE.matcher(message);
    boolean tellsLine = told.matches();
    String kind = kind(tellsLine ? told.group(2) : message);
    long where = tellsLine ? Long.parseLong(told.group(1)) : line;
    String key = code + " " + kind;
    Reason before = reasons.get(key);
    if (before == null && reasons.size() >= MOST_KEPT) {
      others++;
    } else if (before == null) {
      reasons.put(key, new Reason(code, kind, 1, where));
    } else {
      reasons.put(key, new Reason(code, kind, before.count() + 1, Math.min(before.line(), where)));
    }
  }

  private String kind(String message) {
    String start = message.substring(0, Math.min(message.length(), 4 * LONGEST_MESSAGE));
    String same =
        VARIABLE
            .matcher(BLANKS.matcher(start).replaceAll(" ").strip())
            .replaceAll(
                found ->
                    Matcher.quoteReplacement(
                        isName(found.group(1), found.group(2))
                            ? found.group()
                            : blank(found.group())));
    return same.length() <= LONGEST_MESSAGE ? same : same.substring(0, LONGEST_MESSAGE - 1) + "…";
  }

  private boolean isName(@Nullable String single, @Nullable String twice) {
    String text = single == null ? twice : single;
    return text != null && names.contains(text.toLowerCase(Locale.ROOT));
  }

  private static String blank(String found) {
    char first = found.charAt(0);
    return first == '\'' || first == '"' ? first + "…" + first : "…";
  }

  RejectReasons reasons() {
    List<Reason> all = new ArrayList<>(reasons.values());
    all.sort(
        Comparator.comparingLong(Reason::count)
            .reversed()
            .thenComparingLong(Reason::line)
            .thenComparing(Reason::code));
    List<Reason> most = all.subList(0, Math.min(all.size(), RejectReasons.MOST));
    long rest = all.stream().skip(most.size()).mapToLong(Reason::count).sum();
    return new RejectReasons(most, others + rest);
  }

  /** Counts what an earlier run has written; closes the stream. Other records are not counted. */
  void addAll(InputStream file, Layout layout) throws IOException {
    InputOptions options =
        InputOptions.DEFAULTS
            .withFormat(layout.format())
            .withDelimiter(layout.delimiter())
            .withMaxRecord(LONGEST_RECORD);
    try (RecordReader reader = Input.read("the reject file", file, options)) {
      for (RawRecord record = reader.next(); record != null; record = reader.next()) {
        if (layout.format() == Format.CSV) {
          add(
              cell(reader, record, Rejection.ERROR_CODE),
              cell(reader, record, Rejection.ERROR_MESSAGE));
        } else if (record.source() != null) {
          addObject(record.source());
        }
      }
    }
  }

  private static @Nullable String cell(RecordReader reader, RawRecord record, String column) {
    int position = reader.columns().indexOf(column);
    return position < 0 ? null : record.value(position);
  }

  private void addObject(String source) {
    try {
      JsonNode object = JsonMapper.shared().readTree(source);
      add(
          object.path(Rejection.ERROR_CODE).asString(null),
          object.path(Rejection.ERROR_MESSAGE).asString(null));
    } catch (JacksonException e) {
      // Somebody has edited it.
    }
  }

  private void add(@Nullable String code, @Nullable String message) {
    if (code != null && message != null) {
      add(code, message, 0);
    }
  }
}

package dev.sluice.load.input;

import dev.sluice.load.Rejection;
import dev.sluice.load.Rejection.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/** One JSON object per line. */
final class JsonRecords implements RecordReader {
  private static final String[] NOTHING = {};

  /** More names than any table has columns are a mistake, and would fill the memory. */
  private static final int MOST_COLUMNS = 10_000;

  private final Layout layout;
  private final Lines lines;
  private final int maxRecord;
  private final JsonFactory json;
  private final Chain chain = new Chain();
  private final List<String> columns = new ArrayList<>();
  private final List<String> view = Collections.unmodifiableList(columns);
  private final Map<String, Integer> positions = new HashMap<>();
  private long index;
  private long chained = chain.value();
  private @Nullable RawRecord first;

  /** Reads the first record, so that its columns are known. */
  JsonRecords(String name, DecodedText text, Layout layout, int maxRecord) throws IOException {
    this.layout = layout;
    this.maxRecord = maxRecord;
    this.lines = new Lines(text, maxRecord);
    this.json =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder().maxStringLength(maxRecord).build())
            .build();
    if (Input.firstCharacter(text.head()) == '[') {
      throw new BadInputException(
          name,
          1,
          "starts a JSON array, but JSON Lines have one object per line (jq -c '.[]'"
              + " makes them of an array)",
          null);
    }
    first = read();
  }

  @Override
  public Layout layout() {
    return layout;
  }

  @Override
  public List<String> columns() {
    return view;
  }

  @Override
  public @Nullable RawRecord next() throws IOException {
    RawRecord record = first == null ? read() : first;
    first = null;
    chained = chain.value();
    return record;
  }

  private @Nullable RawRecord read() throws IOException {
    while (lines.next()) {
      if (!lines.blank()) {
        chain.text(lines.buffer(), lines.offset(), lines.length());
        chain.endRecord();
        return record();
      }
    }
    return null;
  }

  private RawRecord record() {
    if (lines.tooLong()) {
      return rejected(
          null,
          Reason.TOO_LARGE,
          "the object has %,d characters, but at most %,d are allowed"
              .formatted(lines.total(), maxRecord));
    }
    String source = new String(lines.buffer(), lines.offset(), lines.length());
    try (JsonParser parser =
        json.createParser(
            ObjectReadContext.empty(), lines.buffer(), lines.offset(), lines.length())) {
      return read(parser, source);
    } catch (UnexpectedEndOfInputException e) {
      return rejected(
          source,
          Reason.NOT_AN_OBJECT,
          "the JSON does not end on its line, but JSON Lines have one object per line"
              + " (jq -c . makes them)");
    } catch (JacksonException e) {
      return rejected(
          source,
          Reason.NOT_AN_OBJECT,
          "no JSON at character %d: %s"
              .formatted(e.getLocation().getColumnNr(), e.getOriginalMessage()));
    }
  }

  private RawRecord read(JsonParser parser, String source) {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      return rejected(source, Reason.NOT_AN_OBJECT, "is no JSON object");
    }
    @Nullable String[] values = new String[columns.size()];
    int expected = 0;
    String name;
    while ((name = parser.nextName()) != null) {
      if (name.equals(Rejection.ERROR_SOURCE)) {
        return rejected(
            source,
            Reason.NOT_AN_OBJECT,
            "still has '%s'; put the corrected members in its place".formatted(name));
      }
      int position = position(name, expected);
      if (position < 0) {
        return rejected(
            source,
            Reason.UNKNOWN_COLUMN,
            "'%s' is one more than the %,d different names that lines may have"
                .formatted(name, MOST_COLUMNS));
      }
      if (position >= values.length) {
        values = Arrays.copyOf(values, columns.size());
      }
      if (values[position] != null) {
        return rejected(source, Reason.NOT_AN_OBJECT, "has '%s' twice".formatted(name));
      }
      String value = value(parser, parser.nextToken());
      if (value == null) {
        return rejected(
            source,
            Reason.BAD_VALUE,
            ("'%s' is an object or a list of such, but a text, a number, true, false,"
                    + " null or a list of those is expected")
                .formatted(name));
      }
      values[position] = value;
      expected = position + 1;
    }
    if (parser.nextToken() != null) {
      return rejected(source, Reason.NOT_AN_OBJECT, "has something after its object");
    }
    return new RawRecord(index++, lines.number(), values, source, null);
  }

  /**
   * Members usually come in the same order, so that the next column is tried first. -1 for one too
   * many.
   */
  private int position(String name, int expected) {
    if (expected < columns.size() && columns.get(expected).equals(name)) {
      return expected;
    }
    Integer position = positions.get(name);
    if (position != null) {
      return position;
    }
    if (columns.size() == MOST_COLUMNS) {
      return -1;
    }
    positions.put(name, columns.size());
    columns.add(name);
    return columns.size() - 1;
  }

  /** A value as text; null if it is none. */
  private static @Nullable String value(JsonParser parser, JsonToken token) {
    if (token.isScalarValue()) {
      return token == JsonToken.VALUE_NULL ? "" : parser.getString();
    }
    if (token != JsonToken.START_ARRAY) {
      return null;
    }
    StringBuilder list = new StringBuilder();
    for (JsonToken next; (next = parser.nextToken()) != JsonToken.END_ARRAY; ) {
      if (!next.isScalarValue()) {
        return null;
      }
      list.append(list.isEmpty() ? "" : ";").append(parser.getString());
    }
    return list.toString();
  }

  private RawRecord rejected(@Nullable String source, Reason reason, String problem) {
    String message = "line %d: %s".formatted(lines.number(), problem);
    return new RawRecord(index++, lines.number(), NOTHING, source, new Rejection(reason, message));
  }

  @Override
  public long lines() {
    return lines.read();
  }

  @Override
  public long chain() {
    return chained;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}

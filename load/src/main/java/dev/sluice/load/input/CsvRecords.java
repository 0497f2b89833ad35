package dev.sluice.load.input;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import de.siegmar.fastcsv.reader.RecordType;
import dev.sluice.load.Rejection;
import dev.sluice.load.Rejection.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of cells under a header. */
final class CsvRecords implements RecordReader {
  private static final int BUFFER_SLACK = 1 << 16;

  /** What the parser wants for an empty line, and skips. */
  private static final RawRecord NOTHING = new RawRecord(0, 0, new String[0], null, null);

  private final String name;
  private final DecodedText text;
  private final Layout layout;
  private final int maxRecord;
  private final Chain chain = new Chain();
  private final Rows rows = new Rows();
  private final CloseableIterator<RawRecord> records;
  private final List<String> columns;

  /** Reads the header. */
  CsvRecords(String name, DecodedText text, Layout layout, int maxRecord) throws IOException {
    this.name = name;
    this.text = text;
    this.layout = layout;
    this.maxRecord = maxRecord;
    this.records =
        CsvReader.builder()
            .fieldSeparator(layout.delimiter())
            .skipEmptyLines(true)
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .allowUnclosedQuote(false)
            .maxBufferSize(maxRecord + BUFFER_SLACK)
            .build(rows, text)
            .iterator();
    this.columns = header(read());
  }

  private List<String> header(@Nullable RawRecord header) throws BadInputException {
    if (header == null) {
      throw new BadInputException(
          name, "is empty; a header row with the names of the columns was expected");
    }
    if (header.rejection() != null) {
      throw new BadInputException(name, header.line(), header.rejection().message(), null);
    }
    List<String> names = new ArrayList<>(header.size());
    Map<String, Integer> positions = new HashMap<>();
    for (int i = 0; i < header.size(); i++) {
      String column = String.valueOf(header.value(i)).strip();
      if (column.isEmpty()) {
        throw new BadInputException(
            name,
            header.line(),
            "column %d of the header has no name; give it one, or remove the column"
                .formatted(i + 1),
            null);
      }
      Integer before = positions.put(column, i);
      if (before != null) {
        throw new BadInputException(
            name,
            header.line(),
            "the header has '%s' twice, as columns %d and %d; rename one of them"
                .formatted(column, before + 1, i + 1),
            null);
      }
      names.add(column);
    }
    rows.width = names.size();
    rows.index = 0;
    return List.copyOf(names);
  }

  @Override
  public Layout layout() {
    return layout;
  }

  @Override
  public List<String> columns() {
    return columns;
  }

  @Override
  public @Nullable RawRecord next() throws IOException {
    return read();
  }

  private @Nullable RawRecord read() throws IOException {
    try {
      return records.hasNext() ? records.next() : null;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (CsvParseException e) {
      throw unreadable(e);
    }
  }

  private IOException unreadable(CsvParseException e) {
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof BadInputException bad) {
        return bad;
      }
    }
    return new BadInputException(
        name,
        rows.line(),
        ("the row that begins here cannot be read as CSV: a quote inside a quoted cell"
                + " is not doubled, its closing quote is missing, or the cell has more than %,d"
                + " characters")
            .formatted(maxRecord),
        e);
  }

  @Override
  public long lines() {
    return text.lines();
  }

  @Override
  public long chain() {
    return chain.value();
  }

  @Override
  public void close() throws IOException {
    records.close();
  }

  /** Makes records of what the parser finds. */
  private final class Rows extends AbstractBaseCsvCallbackHandler<RawRecord> {
    private @Nullable String[] values = new String[16];
    private int size;
    private long characters;
    private long index;

    /** How many cells a row should have; 0 before the header was read. */
    private int width;

    long line() {
      return getStartingLineNumber();
    }

    @Override
    protected void handleBegin(long startingLineNumber) {
      size = 0;
      characters = 0;
    }

    @Override
    protected void handleField(int field, char[] buffer, int offset, int length, boolean quoted) {
      chain.text(buffer, offset, length);
      characters += length;
      if (characters > maxRecord) {
        size = 0; // what was kept so far is let go of: the row is turned away whole
        Arrays.fill(values, null);
        return;
      }
      if (size == values.length) {
        values = Arrays.copyOf(values, size * 2);
      }
      values[size++] = length == 0 ? "" : new String(buffer, offset, length);
    }

    @Override
    protected RawRecord buildRecord() {
      if (getRecordType() == RecordType.EMPTY) {
        return NOTHING;
      }
      chain.endRecord();
      @Nullable String[] cells = Arrays.copyOf(values, size);
      return new RawRecord(index++, line(), cells, null, rejection());
    }

    private @Nullable Rejection rejection() {
      if (characters > maxRecord) {
        return new Rejection(
            Reason.TOO_LARGE,
            "line %d: the row has %,d characters, but at most %,d are allowed"
                .formatted(line(), characters, maxRecord));
      }
      if (width > 0 && size != width) {
        return new Rejection(
            Reason.RAGGED_ROW,
            ("line %d: the row has %d cells, but the header has %d; is a '%s' inside a"
                    + " cell that is not quoted?")
                .formatted(line(), size, width, layout.delimiter()));
      }
      return null;
    }
  }
}

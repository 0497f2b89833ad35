package dev.sluice.load.reject;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import dev.sluice.load.Rejection;
import dev.sluice.load.input.Layout;
import dev.sluice.load.input.RawRecord;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows under the input's header and two columns more. Those that the input has from being a reject
 * file itself are replaced. What a ragged row has too much comes last, so that nothing is lost and
 * the row is still ragged.
 */
final class CsvRejects implements RejectLayout {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final char delimiter;
  private final int columns;
  private final List<Integer> kept = new ArrayList<>();
  private final byte[] head;

  CsvRejects(Layout layout, List<String> columns) {
    this.delimiter = layout.delimiter();
    this.columns = columns.size();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      String name = columns.get(i);
      if (!name.equals(Rejection.ERROR_CODE) && !name.equals(Rejection.ERROR_MESSAGE)) {
        kept.add(i);
        names.add(name);
      }
    }
    names.add(Rejection.ERROR_CODE);
    names.add(Rejection.ERROR_MESSAGE);
    // Loaded again with the same options, the mark goes before --encoding.
    boolean marked = !layout.encoding().equals(StandardCharsets.UTF_8);
    this.head = ((marked ? BYTE_ORDER_MARK : "") + row(names)).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] head() {
    return head;
  }

  @Override
  public byte[] line(RawRecord record, String code, String message) {
    List<String> cells = new ArrayList<>(record.size() + 2);
    for (int position : kept) {
      String value = record.value(position);
      cells.add(value == null ? "" : value);
    }
    cells.add(code);
    cells.add(message);
    for (int position = columns; position < record.size(); position++) {
      cells.add(String.valueOf(record.value(position)));
    }
    return row(cells).getBytes(StandardCharsets.UTF_8);
  }

  private String row(List<String> cells) {
    StringWriter row = new StringWriter();
    CsvWriter.builder()
        .fieldSeparator(delimiter)
        .lineDelimiter(LineDelimiter.LF)
        .bufferSize(0)
        .build(row)
        .writeRecord(cells);
    return row.toString();
  }
}

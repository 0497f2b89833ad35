package dev.sluice.arena.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A table whose first columns are words and whose others are figures.
 *
 * @param words how many columns are words, from the left
 * @param header one heading for each column
 * @param rows each as long as the header
 */
record Table(int words, List<String> header, List<List<String>> rows) {
  Table {
    header = List.copyOf(header);
    rows = rows.stream().map(List::copyOf).toList();
  }

  String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("| ").append(String.join(" | ", escaped(header))).append(" |\n|");
    for (int column = 0; column < header.size(); column++) {
      text.append(column < words ? "---|" : "---:|");
    }
    text.append('\n');
    for (List<String> row : rows) {
      text.append("| ").append(String.join(" | ", escaped(row))).append(" |\n");
    }
    return text.toString();
  }

  private static List<String> escaped(List<String> cells) {
    return cells.stream().map(cell -> cell.replace("|", "\\|")).toList();
  }

  /** For a terminal: columns lined up, two spaces between them. */
  String text() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(header);
    lines.addAll(rows);
    int[] widths = new int[header.size()];
    for (List<String> line : lines) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], line.get(column).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder row = new StringBuilder();
      for (int column = 0; column < widths.length; column++) {
        String cell = line.get(column);
        String gap = " ".repeat(widths[column] - cell.length());
        row.append(column < words ? cell + gap : gap + cell).append("  ");
      }
      text.append(row.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  String html() {
    StringBuilder text = new StringBuilder("<div class=\"wide\"><table>\n<thead><tr>");
    cells(text, header, "th");
    text.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : rows) {
      text.append("<tr>");
      cells(text, row, "td");
      text.append("</tr>\n");
    }
    return text.append("</tbody></table></div>\n").toString();
  }

  private void cells(StringBuilder text, List<String> cells, String tag) {
    for (int column = 0; column < cells.size(); column++) {
      text.append(column < words ? "<" + tag + ">" : "<" + tag + " class=\"n\">")
          .append(Svg.escape(cells.get(column)))
          .append("</")
          .append(tag)
          .append('>');
    }
  }
}

package dev.sluice.load.mapping;

import dev.sluice.dataverse.table.Column;
import dev.sluice.dataverse.table.Column.Target;
import dev.sluice.dataverse.table.Table;
import dev.sluice.gate.words.Spelling;
import dev.sluice.load.Rejection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a mapping to start from, which {@link MappingFile} reads as it is. A column of the file
 * goes to the table's column that has its name or its label, in any case; others are skipped. What
 * is left of the table stands below, commented out.
 */
public final class MappingTemplate {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** What YAML takes for something other than text. */
  private static final Set<String> WORDS =
      Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

  private final Table table;
  private final Set<Column> taken = new LinkedHashSet<>();
  private final StringBuilder text = new StringBuilder();
  private int skipped;

  private MappingTemplate(Table table) {
    this.table = table;
  }

  /**
   * A mapping, and what became of the file's columns.
   *
   * @param mapped columns of the file that go somewhere
   * @param skipped those that do not
   */
  public record Written(String text, int mapped, int skipped) {}

  /**
   * Writes a mapping for creating rows.
   *
   * @param file for people: which file it is for; empty for any
   * @param columns those of the file, by their names; empty if there is none yet
   */
  public static Written of(Table table, String file, List<String> columns) {
    MappingTemplate template = new MappingTemplate(table);
    template.write(file, columns);
    return new Written(template.text.toString(), template.taken.size(), template.skipped);
  }

  private void write(String file, List<String> columns) {
    String name = table.logicalName();
    line(
        "# A mapping to start from, for table %s%s."
            .formatted(name, file.isEmpty() ? "" : " and " + oneLine(file)));
    line("# Left of the colon are columns of the file, right of it those of the table. A column");
    line("# that is not mentioned goes to the one that has its name.");
    line("#");
    line("# number: \"1.234,56\"      # how numbers are written, by an example");
    line("# yes: [ja, j]            # further words for yes and no");
    line("# no: [nein]");
    line("");
    line(
        columns.isEmpty()
            ? "columns: {} # remove {} when you take away the first # below"
            : "columns:");
    for (String column : columns) {
      if (!column.equals(Rejection.ERROR_CODE) && !column.equals(Rejection.ERROR_MESSAGE)) {
        bind(column);
      }
    }
    line("");
    line("  # Columns of the table that nothing goes to:");
    for (Column column : table.columns()) {
      if (!taken.contains(column)) {
        entry("# " + column.logicalName(), target(column), about(column));
      }
    }
  }

  private void bind(String name) {
    List<Column> meant = named(name);
    if (meant.size() != 1) {
      skip(
          name,
          meant.isEmpty()
              ? "no column has this name or label" + similar(name)
              : "the label of " + names(meant));
      return;
    }
    Column column = meant.getFirst();
    if (!column.creatable()) {
      skip(name, column.logicalName() + " cannot be set by create");
    } else if (taken.add(column)) {
      entry(quoted(name), target(column), about(column));
    } else {
      skip(name, "another column goes to %s already".formatted(column.logicalName()));
    }
  }

  private List<Column> named(String name) {
    String wanted = name.strip();
    List<Column> byName =
        table.columns().stream()
            .filter(column -> column.logicalName().equalsIgnoreCase(wanted))
            .toList();
    return byName.isEmpty()
        ? table.columns().stream()
            .filter(column -> !wanted.isEmpty() && column.label().equalsIgnoreCase(wanted))
            .toList()
        : byName;
  }

  private String similar(String name) {
    List<String> names = table.columns().stream().map(Column::logicalName).toList();
    return Spelling.closest(name.strip().toLowerCase(Locale.ROOT), names)
        .map("; did you mean %s?"::formatted)
        .orElse("");
  }

  private static String names(List<Column> columns) {
    return String.join(" and ", columns.stream().map(Column::logicalName).toList());
  }

  private void skip(String name, String why) {
    skipped++;
    entry(quoted(name), "{skip: true}", why);
  }

  /** A look-up to several tables must say which. */
  private static String target(Column column) {
    List<String> tables = column.targets().stream().map(Target::table).toList();
    return tables.size() < 2
        ? column.logicalName()
        : "{to: %s, lookup: %s}".formatted(column.logicalName(), tables.getFirst());
  }

  private static String about(Column column) {
    return column.label().isEmpty()
        ? column.description()
        : "%s: %s".formatted(column.label(), column.description());
  }

  private void entry(String left, String right, String comment) {
    line("  %-40s # %s".formatted(left + ": " + right, oneLine(comment)));
  }

  private static String quoted(String name) {
    boolean plain = PLAIN.matcher(name).matches() && !WORDS.contains(name.toLowerCase(Locale.ROOT));
    return plain ? name : JsonMapper.shared().writeValueAsString(name);
  }

  /** A comment must not become something else. */
  private static String oneLine(String words) {
    return words.replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]+", " ");
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}

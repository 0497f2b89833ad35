package dev.sluice.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.load.mapping.Mapping;
import dev.sluice.load.mapping.MappingException;
import dev.sluice.load.mapping.MappingFile;
import dev.sluice.simulator.dataverse.Environment;
import dev.sluice.simulator.dataverse.store.Reference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A file of records that look each other up, forwards, backwards, in circles and themselves; some
 * mean nobody, one that is rejected, or two. And what must come of it.
 */
final class LinkedInput {

  /** By which keys rows go in. */
  enum Kind {
    CREATE(Operation.CREATE),
    UPSERT_BY_ID(Operation.UPSERT),
    UPSERT_BY_KEY(Operation.UPSERT);

    final Operation operation;

    Kind(Operation operation) {
      this.operation = operation;
    }

    List<String> key() {
      return this == UPSERT_BY_KEY ? List.of("accountnumber") : List.of();
    }
  }

  private record Row(String name, String number, String label, String parent, boolean good) {}

  final Kind kind;
  final Path file;
  final Mapping mapping;
  final List<String> rejected = new ArrayList<>();
  final int records;
  private final List<Row> rows = new ArrayList<>();

  /** What the table must hold: names, each with the name of its parent. */
  private final Map<String, String> expected = new TreeMap<>();

  LinkedInput(Path folder, SplittableRandom chance) throws IOException, MappingException {
    kind = Kind.values()[chance.nextInt(Kind.values().length)];
    file = folder.resolve("input.csv");
    mapping =
        MappingFile.parse(
            "mapping.yaml",
            """
            columns:
              Label: {skip: true}
              Parent: {to: parentaccountid, lookup: {same-file: label}}
            """);
    records = chance.nextInt(60, 300);
    List<String> lines = new ArrayList<>();
    lines.add("name,accountnumber,Label,Parent" + (kind == Kind.UPSERT_BY_ID ? ",accountid" : ""));
    for (int i = 0; i < records; i++) {
      lines.add(record(i, chance));
    }
    Files.write(file, lines);
    expect();
  }

  private String record(int i, SplittableRandom chance) {
    String name = "record " + i;
    String label = "L" + (i > 0 && chance.nextInt(50) == 0 ? chance.nextInt(i) : i);
    String parent =
        chance.nextInt(10) < 4
            ? ""
            : chance.nextInt(50) == 0 ? "nobody" : "L" + chance.nextInt(records);
    boolean ragged = chance.nextInt(60) == 0; // turned away before it is sent
    boolean tooLong = chance.nextInt(60) == 0; // only the service knows
    name += tooLong ? "x".repeat(300) : "";
    rows.add(new Row(name, "K" + i, label, parent, !ragged && !tooLong));
    UUID id = new UUID(7, i + 1L);
    return String.join(",", name, "K" + i, label, parent)
        + (kind == Kind.UPSERT_BY_ID ? "," + id : "")
        + (ragged ? ",x" : "");
  }

  private void expect() {
    Map<String, List<Row>> called = new HashMap<>();
    for (Row row : rows) {
      if (row.good()) {
        called.computeIfAbsent(row.label(), label -> new ArrayList<>()).add(row);
      }
    }
    for (Row row : rows) {
      List<Row> meant = called.getOrDefault(row.parent(), List.of());
      boolean linked = !row.parent().isEmpty() && meant.size() == 1;
      if (!row.good() || (!row.parent().isEmpty() && !linked)) {
        rejected.add(row.name());
      }
      if (row.good()) {
        expected.put(row.name(), linked ? meant.getFirst().name() : "nobody");
      }
    }
  }

  void assertThatTheTableHoldsIt(Environment environment) {
    List<Map<String, @Nullable Object>> found = environment.rows("account");
    Map<String, String> names = new HashMap<>();
    for (Map<String, @Nullable Object> row : found) {
      names.put(String.valueOf(row.get("accountid")), String.valueOf(row.get("name")));
    }
    Map<String, String> links = new TreeMap<>();
    for (Map<String, @Nullable Object> row : found) {
      String parent =
          row.get("_parentaccountid_value") instanceof Reference(String table, UUID id)
              ? names.get(id.toString())
              : "nobody";
      links.put(String.valueOf(row.get("name")), String.valueOf(parent));
    }
    assertThat(found).as("rows").hasSize(expected.size());
    assertThat(links).as("rows and their parents").isEqualTo(expected);
  }

  void assertThatRejectsHaveTheirReasons() throws IOException {
    Path rejects = file.resolveSibling("input.rejected.csv");
    if (rejected.isEmpty()) {
      assertThat(rejects).doesNotExist();
      return;
    }
    List<String> names = new ArrayList<>();
    try (CsvReader<CsvRecord> reader =
        CsvReader.builder()
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .ofCsvRecord(rejects)) {
      for (CsvRecord row : reader) {
        String name = row.getField(0);
        names.add(name);
        if (expected.containsKey(name)) {
          assertThat(row.getField(row.getFieldCount() - 2)).startsWith("lookup-");
          assertThat(row.getField(row.getFieldCount() - 1))
              .contains("; the row is in (", "but without parentaccountid");
        }
      }
    }
    assertThat(names.removeFirst()).as("head").isEqualTo("name");
    assertThat(names).containsExactlyInAnyOrderElementsOf(rejected);
  }
}

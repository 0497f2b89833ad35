package dev.sluice.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.simulator.dataverse.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** A file of records, of which some cannot be loaded, and what must come of it. */
final class SeededInput {

  /** Into which table, and how. */
  enum Kind {
    CREATE("account", Operation.CREATE, "name", "accountnumber"),
    UPSERT("account", Operation.UPSERT, "name", "accountnumber"),
    ELASTIC("sim_sensorreading", Operation.CREATE, "sim_name", "sim_device"),
    BATCH("queue", Operation.CREATE, "name", "description");

    final String table;
    final Operation operation;
    final String name;
    final String other;

    Kind(String table, Operation operation, String name, String other) {
      this.table = table;
      this.operation = operation;
      this.name = name;
      this.other = other;
    }

    List<String> key() {
      return this == UPSERT ? List.of(other) : List.of();
    }
  }

  /** An account number that a row has already, so that no other can be created with it. */
  static final String TAKEN = "TAKEN";

  final Kind kind;
  final Path file;
  final int records;
  private final int refusedOneIn;
  final List<String> rejected = new ArrayList<>();
  private final Map<String, String> rows = new TreeMap<>();

  SeededInput(Path folder, SplittableRandom chance) throws IOException {
    kind = Kind.values()[chance.nextInt(Kind.values().length)];
    file = folder.resolve("input.csv");
    records = chance.nextInt(100, 500);
    refusedOneIn = chance.nextInt(3) == 0 ? 2 : 200; // in a third of all inputs, very many
    List<String> lines = new ArrayList<>();
    lines.add(kind.name + "," + kind.other);
    for (int i = 0; i < records; i++) {
      lines.add(record(i, chance));
    }
    Files.write(file, lines);
  }

  private String record(int i, SplittableRandom chance) {
    String name = "record " + i;
    // An upsert comes back to rows that an earlier record wrote: the last one counts.
    boolean again = kind == Kind.UPSERT && i > 0 && chance.nextInt(20) == 0;
    String other = "K" + (again ? chance.nextInt(i) : i);
    if (chance.nextInt(100) == 0) { // no place for a third cell: turned away before it is sent
      rejected.add(name);
      return name + "," + other + ",x";
    }
    if (chance.nextInt(refusedOneIn) == 0) { // only the service knows
      name += "x".repeat(300);
      rejected.add(name);
      return name + "," + other;
    }
    if (kind == Kind.CREATE && chance.nextInt(400) == 0) {
      rejected.add(name);
      return name + "," + TAKEN;
    }
    rows.put(other, name);
    return name + "," + other;
  }

  long good() {
    return (long) records - rejected.size();
  }

  void assertThatTheTableHoldsIt(Environment environment) {
    List<String> found = new ArrayList<>();
    for (Map<String, ?> row : environment.rows(kind.table)) {
      if (!TAKEN.equals(row.get(kind.other))) {
        found.add(row.get(kind.other) + "=" + row.get(kind.name));
      }
    }
    List<String> missing = new ArrayList<>();
    for (Map.Entry<String, String> row : rows.entrySet()) {
      String expected = row.toString();
      if (!found.remove(expected)) {
        missing.add(expected);
      }
    }
    assertThat(missing).as("records that are not in the table").isEmpty();
    assertThat(found).as("rows that are there twice, or should not be").isEmpty();
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
        names.add(row.getField(0));
        assertThat(row.getField(2)).as("code").isNotBlank();
        if (!row.getField(0).equals(kind.name)) {
          assertThat(row.getField(3)).as("message").startsWith("line ");
        }
      }
    }
    assertThat(names.removeFirst()).as("head").isEqualTo(kind.name);
    assertThat(names).containsExactlyInAnyOrderElementsOf(rejected);
  }
}

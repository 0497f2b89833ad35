package dev.sluice.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.table.Column;
import dev.sluice.dataverse.table.Column.Target;
import dev.sluice.dataverse.table.Table;
import dev.sluice.load.RowIds;
import dev.sluice.load.input.Format;
import dev.sluice.load.input.Input;
import dev.sluice.load.input.InputOptions;
import dev.sluice.load.input.RawRecord;
import dev.sluice.load.input.RecordReader;
import dev.sluice.load.mapping.Mapped;
import dev.sluice.load.mapping.Mapping;
import dev.sluice.load.mapping.MappingException;
import dev.sluice.load.mapping.MappingOptions;
import dev.sluice.load.mapping.RowMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Shows how many rows of ten short columns per second become items on one core: read, decoded,
 * split, hashed, converted and written as JSON. The bytes are in memory beforehand.
 *
 * <p>One argument: how many rows an input has, 500,000 if it is left out. Figures are medians of
 * seven rounds after three that do not count: per second of the clock, and per second of processor
 * time of all threads, collector and compiler included, which other programs on the machine disturb
 * less.
 */
public final class LoadSpeed {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final int WARM_UP = 3;
  private static final int ROUNDS = 7;
  private static final List<String> NAMES =
      List.of(
          "name",
          "accountnumber",
          "city",
          "employees",
          "revenue",
          "onhold",
          "stage",
          "founded",
          "seen",
          "contact");

  private LoadSpeed() {}

  /** Prints a table in Markdown. */
  public static void main(String[] args) throws IOException, MappingException {
    int rows = args.length == 0 ? 500_000 : Integer.parseInt(args[0]);
    System.out.println(
        "| input | bytes per row | rows per second | per second of processor time |");
    System.out.println("|---|---:|---:|---:|");
    for (Format format : Format.values()) {
      byte[] input = input(format, rows);
      double[] byClock = new double[ROUNDS];
      double[] byProcessor = new double[ROUNDS];
      for (int round = -WARM_UP; round < ROUNDS; round++) {
        long started = System.nanoTime();
        long startedWork = SYSTEM.getProcessCpuTime();
        read(format, input, rows);
        if (round >= 0) {
          byClock[round] = rows * 1e9 / (System.nanoTime() - started);
          byProcessor[round] = rows * 1e9 / (SYSTEM.getProcessCpuTime() - startedWork);
        }
      }
      System.out.println(
          "| %s | %d | %,.0f | %,.0f |"
              .formatted(format, input.length / rows, median(byClock), median(byProcessor)));
    }
  }

  private static double median(double[] figures) {
    Arrays.sort(figures);
    return figures[ROUNDS / 2];
  }

  private static void read(Format format, byte[] input, int rows)
      throws IOException, MappingException {
    long characters = 0;
    long items = 0;
    try (RecordReader reader =
        Input.read(
            "memory", new ByteArrayInputStream(input), InputOptions.DEFAULTS.withFormat(format))) {
      RowMapper mapper =
          RowMapper.of(
              reader,
              table(),
              Operation.CREATE,
              Mapping.NONE,
              MappingOptions.DEFAULTS,
              new RowIds(1, 1));
      for (RawRecord record; (record = reader.next()) != null; ) {
        switch (mapper.map(record)) {
          case Mapped.Ready ready -> {
            items++;
            characters += ready.item().columns().length();
          }
          case Mapped.Rejected rejected ->
              throw new IllegalStateException(rejected.rejection().message());
        }
      }
    }
    if (items != rows || characters == 0) {
      throw new IllegalStateException("%,d of %,d rows became items".formatted(items, rows));
    }
  }

  private static byte[] input(Format format, int rows) {
    RandomGenerator random = new SplittableRandom(1);
    StringBuilder text = new StringBuilder();
    if (format == Format.CSV) {
      text.append(String.join(",", NAMES)).append('\n');
    }
    for (int row = 0; row < rows; row++) {
      String[] values = values(row, random);
      for (int i = 0; i < values.length; i++) {
        if (format == Format.CSV) {
          text.append(i == 0 ? "" : ",").append(values[i]);
        } else {
          text.append(i == 0 ? "{\"" : ",\"").append(NAMES.get(i)).append("\":\"");
          text.append(values[i]).append('"');
        }
      }
      text.append(format == Format.CSV ? "\n" : "}\n");
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String[] values(int row, RandomGenerator random) {
    return new String[] {
      "Contoso " + row,
      "A-" + random.nextInt(1_000_000),
      random.nextBoolean() ? "Zürich" : "Rome",
      String.valueOf(random.nextInt(10_000)),
      random.nextInt(1_000_000) + "." + (10 + random.nextInt(90)),
      random.nextBoolean() ? "true" : "no",
      random.nextBoolean() ? "Open" : "2",
      "2026-%02d-%02d".formatted(1 + random.nextInt(12), 1 + random.nextInt(28)),
      "2026-01-05T%02d:00:00Z".formatted(random.nextInt(24)),
      new UUID(random.nextLong(), random.nextLong()).toString()
    };
  }

  private static Table table() {
    return new Table(
        "account",
        "accounts",
        "accountid",
        false,
        List.of(
            column(0, Column.Type.TEXT),
            column(1, Column.Type.TEXT),
            column(2, Column.Type.TEXT),
            column(3, Column.Type.INTEGER),
            column(4, Column.Type.MONEY),
            column(5, Column.Type.BOOLEAN),
            column(6, Column.Type.CHOICE),
            column(7, Column.Type.DATE),
            column(8, Column.Type.DATE_TIME),
            column(9, Column.Type.LOOKUP)),
        List.of(),
        Set.of());
  }

  private static Column column(int place, Column.Type type) {
    return new Column(
        NAMES.get(place),
        type,
        true,
        true,
        type == Column.Type.TEXT ? 100 : 0,
        type == Column.Type.CHOICE ? Map.of("Open", 1, "Closed", 2) : Map.of(),
        type == Column.Type.LOOKUP
            ? List.of(new Target("contact", "contacts", "contact"))
            : List.of());
  }
}

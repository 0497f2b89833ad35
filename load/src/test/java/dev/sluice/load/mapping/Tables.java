package dev.sluice.load.mapping;

import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.table.Column;
import dev.sluice.dataverse.table.Column.Target;
import dev.sluice.dataverse.table.Table;
import dev.sluice.load.Rejection;
import dev.sluice.load.RowIds;
import dev.sluice.load.input.Input;
import dev.sluice.load.input.InputOptions;
import dev.sluice.load.input.RawRecord;
import dev.sluice.load.input.RecordReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A table with a column of every type, and a way through the mapper. */
final class Tables {
  static final RowIds IDS = new RowIds(0x019b_0123_4567L, 5);
  static final Map<String, Integer> STAGES = Map.of("Open", 1, "Closed", 2, "On hold, waiting", 3);

  private static final Target CONTACT = new Target("contact", "contacts", "new_Contact");

  static final Table ACCOUNT =
      new Table(
          "account",
          "accounts",
          "accountid",
          false,
          List.of(
              text("name", 20),
              text("accountnumber", 20),
              text("source", 10),
              column("notes", Column.Type.MEMO),
              column("employees", Column.Type.INTEGER),
              column("big", Column.Type.BIG_INTEGER),
              column("factor", Column.Type.DECIMAL),
              column("ratio", Column.Type.DOUBLE),
              column("revenue", Column.Type.MONEY),
              ranged("staff", Column.Type.INTEGER, "0", "1000000000"),
              ranged("price", Column.Type.MONEY, "0", "1E+14"),
              ranged("latitude", Column.Type.DOUBLE, "-90.0", "90.0"),
              column("onhold", Column.Type.BOOLEAN),
              column("born", Column.Type.DATE),
              column("seen", Column.Type.DATE_TIME),
              choice("stage", Column.Type.CHOICE),
              choice("tags", Column.Type.MULTI_CHOICE),
              lookup("contactid", CONTACT),
              lookup(
                  "customerid",
                  new Target("account", "accounts", "customerid_account"),
                  new Target("contact", "contacts", "customerid_contact")),
              column("token", Column.Type.UNIQUE_ID),
              lookup("parentid", new Target("account", "accounts", "new_Parent")),
              new Column("fixed", Column.Type.TEXT, true, false, 0, Map.of(), List.of())),
          List.of(
              List.of("accountnumber"),
              List.of("source", "employees"),
              List.of("contactid", "born")),
          Set.of());

  static final Table EVENT =
      new Table(
          "event",
          "events",
          "eventid",
          true,
          List.of(text("name", 20), text("partitionid", 100)),
          List.of(),
          Set.of());

  private Tables() {}

  private static Column text(String name, int maxLength) {
    return new Column(name, Column.Type.TEXT, true, true, maxLength, Map.of(), List.of());
  }

  private static Column column(String name, Column.Type type) {
    return new Column(name, type, true, true, 0, Map.of(), List.of());
  }

  private static Column ranged(String name, Column.Type type, String least, String most) {
    Column.Range range = new Column.Range(new BigDecimal(least), new BigDecimal(most));
    return new Column(name, type, true, true, 0, Optional.of(range), Map.of(), List.of());
  }

  private static Column choice(String name, Column.Type type) {
    return new Column(name, type, true, true, 0, STAGES, List.of());
  }

  private static Column lookup(String name, Target... targets) {
    return new Column(name, Column.Type.LOOKUP, true, true, 0, Map.of(), List.of(targets));
  }

  /** Everything that became of an input. */
  static List<Mapped> map(
      String input, Table table, Operation operation, Mapping mapping, MappingOptions options)
      throws IOException, MappingException {
    byte[] bytes = input.getBytes(StandardCharsets.UTF_8);
    try (RecordReader reader =
        Input.read("input", new ByteArrayInputStream(bytes), InputOptions.DEFAULTS)) {
      RowMapper mapper = RowMapper.of(reader, table, operation, mapping, options, IDS);
      List<Mapped> mapped = new ArrayList<>();
      for (RawRecord record; (record = reader.next()) != null; ) {
        mapped.add(mapper.map(record));
      }
      return mapped;
    }
  }

  static List<Mapped> map(String input, Operation operation, String... key)
      throws IOException, MappingException {
    return map(
        input, ACCOUNT, operation, Mapping.NONE, MappingOptions.DEFAULTS.withKey(List.of(key)));
  }

  static List<Mapped> create(String input, String mapping) throws IOException, MappingException {
    return map(
        input,
        ACCOUNT,
        Operation.CREATE,
        MappingFile.parse("m.yaml", mapping),
        MappingOptions.DEFAULTS);
  }

  static Item item(Mapped mapped) {
    return switch (mapped) {
      case Mapped.Ready ready -> ready.item();
      case Mapped.Rejected rejected -> throw new AssertionError(rejected);
    };
  }

  static Rejection rejection(Mapped mapped) {
    return switch (mapped) {
      case Mapped.Rejected rejected -> rejected.rejection();
      case Mapped.Ready ready -> throw new AssertionError(ready);
    };
  }
}

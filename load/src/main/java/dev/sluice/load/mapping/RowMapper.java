package dev.sluice.load.mapping;

import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.message.RecordKey;
import dev.sluice.dataverse.table.Table;
import dev.sluice.gate.words.Spelling;
import dev.sluice.load.Rejection;
import dev.sluice.load.Rejection.Reason;
import dev.sluice.load.RowIds;
import dev.sluice.load.input.Format;
import dev.sluice.load.input.RawRecord;
import dev.sluice.load.input.RecordReader;
import dev.sluice.load.mapping.Mapping.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes items of the records of one reader. Columns are bound when it is made; those that JSON
 * Lines bring later are bound when they come, and a record with one that cannot be is turned away.
 *
 * <p>For the thread that uses the reader.
 */
public final class RowMapper {
  private static final int MOST_SHOWN = 40;

  private final RecordReader reader;
  private final Table table;
  private final Operation operation;
  private final boolean clearEmpty;
  private final RowIds ids;
  private final Mapping mapping;
  private final Binder binder;
  private final LinkReader links;

  /** Null if numbers cannot have one: those of JSON have a point. */
  private final @Nullable DecimalComma comma;

  /** By position of the input's columns. */
  private final List<Slot> slots = new ArrayList<>();

  private final Map<String, Slot> constants = new LinkedHashMap<>();
  private final KeyPlace[] key;

  /** Alternate keys that new rows take. */
  private final UniqueKeys unique;

  private String constantMembers = "";
  private int idPosition = -1;
  private int partitionPosition = -1;

  private final StringBuilder json = new StringBuilder(256);
  private @Nullable StringBuilder problems;

  /**
   * Binds the columns that are known now.
   *
   * @param ids for creates that do not bring their own
   * @throws MappingException if a column has no place, or the key is not complete; with all that
   *     was found
   */
  public static RowMapper of(
      RecordReader reader,
      Table table,
      Operation operation,
      Mapping mapping,
      MappingOptions options,
      RowIds ids)
      throws MappingException {
    RowMapper mapper = new RowMapper(reader, table, operation, mapping, options, ids);
    mapper.bindColumns();
    mapper.bindConstants();
    mapper.checkKey();
    mapper.checkLinks();
    mapper.checkNumbers();
    List<String> problems = mapper.binder.problems();
    if (!problems.isEmpty()) {
      throw new MappingException(problems);
    }
    return mapper;
  }

  private RowMapper(
      RecordReader reader,
      Table table,
      Operation operation,
      Mapping mapping,
      MappingOptions options,
      RowIds ids) {
    this.reader = reader;
    this.table = table;
    this.operation = operation;
    this.mapping = mapping;
    this.clearEmpty = options.clearEmpty();
    this.ids = ids;
    this.links = new LinkReader(mapping);
    this.comma =
        reader.layout().format() == Format.CSV ? new DecimalComma(reader.layout(), mapping) : null;
    this.binder = new Binder(table, operation, mapping, options, links, comma);
    this.key = KeyPlace.of(binder.key());
    this.unique = new UniqueKeys(operation == Operation.CREATE ? table.keys() : List.of());
  }

  private void bindColumns() {
    List<String> columns = reader.columns();
    for (int i = slots.size(); i < columns.size(); i++) {
      String name = columns.get(i);
      Slot constant = constants.remove(name);
      Slot slot = constant == null ? binder.bind(name) : constant;
      slots.add(slot);
      links.found(name, i);
      switch (slot) {
        case Slot.Id id -> idPosition = i;
        case Slot.Partition partition -> partitionPosition = i;
        case Slot.KeyPart part -> KeyPlace.put(key, part, i);
        case Slot.Linked linked -> links.found(linked.column(), i);
        case Slot.Written written -> unique.found(written, i);
        case Slot.Ignored ignored -> {}
        case Slot.Unknown unknown -> {}
      }
    }
    writeConstants();
  }

  /** What the mapping says of columns that the input does not have. */
  private void bindConstants() {
    List<String> columns = reader.columns();
    mapping
        .columns()
        .forEach(
            (name, rule) -> {
              if (rule.skip() || columns.stream().anyMatch(name::equalsIgnoreCase)) {
                return;
              }
              if (rule.fallback().isPresent()) {
                bindConstant(name, rule);
              } else if (reader.layout().format() == Format.CSV) {
                binder.problem(
                    "%s: the input has no column '%s'%s"
                        .formatted(
                            rule.place(),
                            name,
                            Spelling.closest(name, columns)
                                .map("; did you mean '%s'?"::formatted)
                                .orElse("; a default would set it for all rows")));
              }
            });
    writeConstants();
  }

  private void bindConstant(String name, Rule rule) {
    Slot slot = binder.bind(name, rule);
    switch (slot) {
      case Slot.Written written -> {
        constants.put(name, written);
        unique.found(written, -1);
      }
      case Slot.KeyPart part -> KeyPlace.put(key, part, -1);
      case Slot.Id id ->
          binder.problem(
              "%s: %s is an id, which cannot be the same for all rows"
                  .formatted(rule.place(), name));
      case Slot.Partition partition ->
          binder.problem("%s: %s must be a column of the input".formatted(rule.place(), name));
      case Slot.Linked linked -> {} // has no default, and so is no constant
      case Slot.Ignored ignored -> {}
      case Slot.Unknown unknown -> {}
    }
  }

  private void writeConstants() {
    StringBuilder members = new StringBuilder();
    for (Slot slot : constants.values()) {
      if (slot instanceof Slot.Written written && written.fallback() != null) {
        separate(members).append(written.fallback());
      }
    }
    constantMembers = members.toString();
  }

  private void checkKey() {
    boolean columnsKnown = reader.layout().format() == Format.CSV || !reader.columns().isEmpty();
    for (KeyPlace place : key) {
      if (place.part == null && columnsKnown) {
        binder.problem(
            "the input has no column for %s, which is part of the key".formatted(place.column));
      }
    }
    if (operation != Operation.CREATE && key.length == 0 && idPosition < 0 && columnsKnown) {
      binder.problem(
          ("%s needs to know which rows are meant: the input has no column %s, and no"
                  + " other key was named (--key)")
              .formatted(operation.wireName(), table.primaryId()));
    }
  }

  /** Rows are named by a column of the input, wherever that goes; it may be skipped, too. */
  private void checkLinks() {
    binder.checkLinks();
    List<String> columns = reader.columns();
    if (reader.layout().format() != Format.CSV) {
      return; // it may come later
    }
    for (String missing : links.missing()) {
      binder.problem(
          "a look-up to the same file goes by '%s', but the input has no such column%s"
              .formatted(
                  missing,
                  Spelling.closest(missing, columns)
                      .map("; did you mean '%s'?"::formatted)
                      .orElse("")));
    }
  }

  /** Notes formats of numbers for an input that has its own. */
  private void checkNumbers() {
    if (reader.layout().format() == Format.CSV) {
      return;
    }
    String problem =
        "%snumber is for CSV, but the input is JSON Lines, whose numbers are written as in JSON;"
            + " remove it from the mapping";
    mapping.number().ifPresent(number -> binder.problem(problem.formatted("")));
    mapping
        .columns()
        .forEach(
            (name, rule) -> {
              if (rule.number().isPresent()) {
                binder.problem(problem.formatted("%s: %s.".formatted(rule.place(), name)));
              }
            });
  }

  /** Makes an item of a record that the reader handed out last. */
  public Mapped map(RawRecord record) {
    if (record.rejection() != null) {
      return new Mapped.Rejected(record.rejection(), Links.NONE);
    }
    if (slots.size() < reader.columns().size()) {
      bindColumns();
      binder.problems(); // each is kept by its slot, for the records that it concerns
    }
    if (comma != null) {
      comma.startLine(record.line());
    }
    problems = null;
    json.setLength(0);
    boolean empty = writeColumns(record);
    if (problems != null) {
      return rejected(record, Reason.BAD_VALUE);
    }
    if (empty) {
      problem("the row is empty");
      return rejected(record, Reason.EMPTY_ROW);
    }
    if (!constantMembers.isEmpty()) {
      separate(json).append(constantMembers);
    }
    String columns = json.toString();
    UUID made = null;
    RecordKey found = key.length > 0 ? alternate(record) : id(record);
    if (found == null && problems == null && operation == Operation.CREATE) {
      made = ids.id(record.index());
      found = new RecordKey.Id(made, partition(record));
    }
    if (problems != null || found == null) {
      if (problems == null) {
        problem("%s is empty, but says which row is meant".formatted(table.primaryId()));
      }
      return rejected(record, Reason.NO_KEY);
    }
    return new Mapped.Ready(
        new Item(record.index(), found, made != null, columns, unique.read(record)),
        links.read(record));
  }

  /** Returns whether there was nothing at all. */
  private boolean writeColumns(RawRecord record) {
    boolean empty = true;
    for (int i = 0; i < slots.size(); i++) {
      String value = record.value(i);
      Slot slot = slots.get(i);
      if (slot instanceof Slot.Written written) {
        String meant = value == null || written.converter().keepsSpaces() ? value : value.strip();
        if (meant != null && !meant.isEmpty()) {
          empty = false;
          separate(json).append(written.member());
          if (!written.converter().write(meant, json)) {
            problem(i, meant, written.converter());
          }
        } else if (written.fallback() != null) {
          separate(json).append(written.fallback());
        } else if (clearEmpty && value != null) {
          separate(json).append(written.clear());
        }
      } else if (slot instanceof Slot.Linked linked && value != null && value.isBlank()) {
        if (clearEmpty) {
          separate(json).append(linked.clear());
        }
      } else if (slot instanceof Slot.Unknown unknown && value != null) {
        problem(unknown.problem());
      } else if (value != null && !value.isEmpty()) {
        empty &= slot instanceof Slot.Ignored;
      }
    }
    return empty;
  }

  private @Nullable RecordKey alternate(RawRecord record) {
    StringBuilder predicate = new StringBuilder();
    for (KeyPlace place : key) {
      Slot.KeyPart part = place.part;
      String value = place.value(record);
      if (part == null || value == null) {
        problem("%s is empty, but is part of the key".formatted(place.column));
        continue;
      }
      predicate.append(predicate.isEmpty() ? "" : ",");
      if (value.isEmpty() || !part.write(value, predicate)) {
        problem(place.position, value, part.converter());
      }
    }
    return problems == null ? new RecordKey.Alternate(predicate.toString()) : null;
  }

  private @Nullable RecordKey id(RawRecord record) {
    String value = idPosition < 0 ? null : record.value(idPosition);
    if (value == null || value.isBlank()) {
      return null;
    }
    UUID id = Ids.parsed(value.strip());
    if (id == null) {
      problem(
          "%s is %s, but %s"
              .formatted(reader.columns().get(idPosition), shown(value), Ids.EXPECTED));
      return null;
    }
    return new RecordKey.Id(id, partition(record));
  }

  private @Nullable String partition(RawRecord record) {
    String value = partitionPosition < 0 ? null : record.value(partitionPosition);
    return value == null || value.isEmpty() ? null : value;
  }

  private void problem(int position, String value, Converter converter) {
    String name = position < 0 ? "the default" : reader.columns().get(position);
    problem("%s is %s, but %s".formatted(name, shown(value), converter.expected(value)));
  }

  private void problem(String problem) {
    if (problems == null) {
      problems = new StringBuilder(problem);
    } else {
      problems.append("; ").append(problem);
    }
  }

  private Mapped rejected(RawRecord record, Reason reason) {
    return new Mapped.Rejected(
        new Rejection(reason, "line %d: %s".formatted(record.line(), problems)),
        links.read(record));
  }

  /** A value in quotes, shortened, and without what would disturb a terminal. */
  private static String shown(String value) {
    String start = value.length() > MOST_SHOWN ? value.substring(0, MOST_SHOWN) + "…" : value;
    return "'" + start.replaceAll("\\p{Cntrl}", "?") + "'";
  }

  private static StringBuilder separate(StringBuilder members) {
    return members.isEmpty() ? members : members.append(',');
  }
}

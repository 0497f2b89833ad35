package dev.sluice.load.mapping;

import static java.util.stream.Collectors.joining;

import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.table.Column;
import dev.sluice.dataverse.table.Column.Range;
import dev.sluice.dataverse.table.Column.Target;
import dev.sluice.dataverse.table.Table;
import dev.sluice.gate.words.Spelling;
import dev.sluice.load.Rejection;
import dev.sluice.load.mapping.Mapping.Lookup;
import dev.sluice.load.mapping.Mapping.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds out what each column of an input is for, and what is wrong with it. */
final class Binder {
  /** The column of an elastic table that says where a row is kept. */
  private static final String PARTITION = "partitionid";

  private final Table table;
  private final Operation operation;
  private final Mapping mapping;
  private final MappingOptions options;
  private final LinkReader links;
  private final @Nullable DecimalComma comma;
  private final List<String> key;
  private final List<String> problems = new ArrayList<>();

  /** Which column of the input goes to one of the table. */
  private final Map<String, String> taken = new HashMap<>();

  /**
   * Binds the columns of one input.
   *
   * @param comma what speaks for a decimal comma in it; null if its numbers cannot have one
   */
  Binder(
      Table table,
      Operation operation,
      Mapping mapping,
      MappingOptions options,
      LinkReader links,
      @Nullable DecimalComma comma) {
    this.links = links;
    this.comma = comma;
    this.table = table;
    this.operation = operation;
    this.mapping = mapping;
    this.options = options;
    this.key = alternateKey();
  }

  /** The columns of the alternate key in their order; empty if rows are known by their id. */
  List<String> key() {
    return key;
  }

  /** What was found, which is then forgotten. */
  List<String> problems() {
    List<String> found = List.copyOf(problems);
    problems.clear();
    return found;
  }

  void problem(String problem) {
    problems.add(problem);
  }

  private List<String> alternateKey() {
    List<String> wanted = new ArrayList<>(options.key());
    if (wanted.isEmpty()) {
      mapping
          .columns()
          .forEach(
              (name, rule) -> {
                if (rule.key()) {
                  wanted.add(logicalName(rule.to().orElse(name)));
                }
              });
    }
    if (table.elastic()) {
      wanted.remove(PARTITION);
    }
    // A create is known by its id; what is an alternate key to others is just written.
    if (wanted.isEmpty()
        || operation == Operation.CREATE
        || wanted.equals(List.of(table.primaryId()))) {
      return List.of();
    }
    for (List<String> declared : table.keys()) {
      if (declared.size() == wanted.size() && declared.containsAll(wanted)) {
        return declared;
      }
    }
    String known =
        table.keys().stream()
            .map(names -> "(" + String.join(", ", names) + ")")
            .collect(joining(" or "));
    problem(
        "the key (%s) is none of table %s; %s is expected"
            .formatted(
                String.join(", ", wanted),
                table.logicalName(),
                "(%s)%s".formatted(table.primaryId(), known.isEmpty() ? "" : " or " + known)));
    return List.of();
  }

  private String logicalName(String name) {
    return table.column(name) == null ? name.toLowerCase(Locale.ROOT) : name;
  }

  /** What a column of the input is for; problems are noted. */
  Slot bind(String name) {
    Rule rule = mapping.rule(name);
    if (rule == null) {
      return isRemark(name) ? new Slot.Ignored() : bind(name, Rule.NONE);
    }
    return rule.skip() ? new Slot.Ignored() : bind(name, rule);
  }

  /** Columns that a reject file has beside those of its input. */
  private boolean isRemark(String name) {
    return (name.equals(Rejection.ERROR_CODE) || name.equals(Rejection.ERROR_MESSAGE))
        && table.column(name) == null;
  }

  /** Like {@link #bind(String)}, by a rule. */
  Slot bind(String name, Rule rule) {
    String who =
        rule.place().isEmpty() ? "column '%s'".formatted(name) : rule.place() + ": " + name;
    String to = logicalName(rule.to().orElse(name));
    boolean isKey = key.contains(to) || (key.isEmpty() && to.equals(table.primaryId()));
    boolean isPartition = table.elastic() && to.equals(PARTITION);
    if (operation == Operation.DELETE && !isKey && !isPartition) {
      return new Slot.Ignored();
    }
    Column column = table.column(to);
    if (column == null && !to.equals(table.primaryId())) {
      return unknown(who, to);
    }
    String before = taken.putIfAbsent(to, name);
    if (before != null) {
      return failed("%s and '%s' both go to %s; skip one of them".formatted(who, before, to));
    }
    if (to.equals(table.primaryId()) || column == null) {
      return key.isEmpty() ? new Slot.Id() : new Slot.Ignored();
    }
    if (!isKey && !isPartition && !writable(column)) {
      return failed(
          "%s: %s cannot be set by %s; skip it in a mapping"
              .formatted(who, to, operation.wireName()));
    }
    if (rule.sameFile().isPresent()) {
      return linked(who, column, rule.sameFile().get(), isKey);
    }
    Converter converter = converter(who, column, rule, isKey);
    if (converter == null) {
      return new Slot.Ignored();
    }
    if (isPartition) {
      return new Slot.Partition(converter);
    }
    if (isKey) {
      return keyPart(column, rule, converter);
    }
    return written(who, column, rule, converter);
  }

  private static Slot.KeyPart keyPart(Column column, Rule rule, Converter converter) {
    boolean lookup = column.type() == Column.Type.LOOKUP;
    boolean quoted = column.type() == Column.Type.TEXT || column.type() == Column.Type.MEMO;
    String name = column.logicalName();
    return new Slot.KeyPart(
        lookup ? "_" + name + "_value" : name, converter, quoted, rule.fallback().orElse(null));
  }

  /** Notes what keeps rows of one input from being linked to each other, whatever its columns. */
  void checkLinks() {
    mapping
        .columns()
        .forEach(
            (name, rule) -> {
              String who = rule.place() + ": " + name;
              if (rule.sameFile().isEmpty()) {
                return;
              }
              if (operation == Operation.UPDATE || operation == Operation.DELETE) {
                problem(
                    ("%s.lookup.same-file is for create and upsert, but this is %s: rows that are"
                            + " there already are found by lookup: {table: %s, by: COLUMN}")
                        .formatted(who, operation.wireName(), table.logicalName()));
              } else if (table.elastic()) {
                problem(
                    "%s.lookup.same-file is for standard tables, but %s is elastic"
                        .formatted(who, table.logicalName()));
              }
            });
  }

  private Slot linked(String who, Column column, String listed, boolean isKey) {
    if (column.type() != Column.Type.LOOKUP) {
      return failed(misplacement(who, "lookup", "look-ups", column));
    }
    if (isKey || !column.updatable()) {
      return failed(
          "%s.lookup.same-file: %s cannot be set afterwards, because it %s"
              .formatted(
                  who, column.logicalName(), isKey ? "is a part of the key" : "cannot be changed"));
    }
    for (Target target : column.targets()) {
      if (target.table().equals(table.logicalName())) {
        return new Slot.Linked(
            new LinkColumn(
                column.logicalName(),
                links.list(listed),
                listed,
                target.entitySet(),
                target.navigation()),
            "\"" + target.navigation() + "\":null");
      }
    }
    return failed(
        "%s.lookup.same-file: %s points to %s, but this file is loaded into %s"
            .formatted(
                who,
                column.logicalName(),
                column.targets().stream().map(Target::table).collect(joining(" or ")),
                table.logicalName()));
  }

  private Slot written(String who, Column column, Rule rule, Converter converter) {
    String property = column.logicalName();
    String suffix = "";
    if (column.type() == Column.Type.LOOKUP) {
      property = target(column, rule).map(Target::navigation).orElse(property);
      suffix = "@odata.bind";
    }
    String member = "\"" + property + suffix + "\":";
    String fallback = null;
    if (rule.fallback().isPresent()) {
      StringBuilder json = new StringBuilder(member);
      String value = rule.fallback().get();
      if (!converter.write(value, json)) {
        return failed(
            "%s.default is '%s', but %s".formatted(who, value, converter.expected(value)));
      }
      fallback = json.toString();
    }
    boolean unique =
        operation == Operation.CREATE
            && table.keys().stream().anyMatch(names -> names.contains(column.logicalName()));
    return new Slot.Written(
        member,
        "\"" + property + "\":null",
        converter,
        fallback,
        unique ? keyPart(column, rule, converter) : null);
  }

  private boolean writable(Column column) {
    return switch (operation) {
      case CREATE -> column.creatable();
      case UPDATE -> column.updatable();
      case UPSERT, DELETE -> column.creatable() || column.updatable();
    };
  }

  private Slot unknown(String who, String to) {
    List<String> names = table.columns().stream().map(Column::logicalName).toList();
    return failed(
        "%s: table %s has no column %s that can be written%s"
            .formatted(
                who,
                table.logicalName(),
                to,
                Spelling.closest(to, names)
                    .map("; did you mean %s?"::formatted)
                    .orElse("; name another one or skip it in a mapping")));
  }

  private Slot failed(String problem) {
    problem(problem);
    return new Slot.Unknown(problem);
  }

  private @Nullable Converter converter(String who, Column column, Rule rule, boolean isKey) {
    Column.Type type = column.type();
    if (rule.date().isPresent() && type != Column.Type.DATE && type != Column.Type.DATE_TIME) {
      return misplaced(who, "date", "dates", column);
    }
    if (!rule.options().isEmpty()
        && type != Column.Type.CHOICE
        && type != Column.Type.MULTI_CHOICE
        && type != Column.Type.BOOLEAN) {
      return misplaced(who, "optionset", "choices", column);
    }
    if (rule.number().isPresent() && !holdsNumbers(type, rule)) {
      return misplaced(who, "number", "numbers", column);
    }
    if (rule.lookup().isPresent() && type != Column.Type.LOOKUP) {
      return misplaced(who, "lookup", "look-ups", column);
    }
    return switch (type) {
      case TEXT, MEMO -> new Texts(column.maxLength());
      case INTEGER -> numbers(true, column.range().orElse(Numbers.INTEGERS), rule);
      case BIG_INTEGER -> numbers(true, Numbers.BIG_INTEGERS, rule);
      case DECIMAL, DOUBLE, MONEY -> numbers(false, column.range().orElse(null), rule);
      case BOOLEAN -> new Booleans(labels(column, rule), mapping.yes(), mapping.no());
      case DATE, DATE_TIME ->
          new Dates(type == Column.Type.DATE_TIME, rule.date().orElse(null), options.zone());
      case CHOICE, MULTI_CHOICE -> choices(who, column, rule);
      case LOOKUP -> isKey ? new Ids() : lookups(who, column, rule);
      case UNIQUE_ID -> new Ids();
    };
  }

  /** A look-up may go by a number, too. */
  private static boolean holdsNumbers(Column.Type type, Rule rule) {
    return switch (type) {
      case INTEGER, BIG_INTEGER, DECIMAL, DOUBLE, MONEY -> true;
      case LOOKUP -> rule.lookup().filter(Lookup::number).isPresent();
      default -> false;
    };
  }

  private Numbers numbers(boolean whole, @Nullable Range range, Rule rule) {
    NumberFormat format = rule.number().or(mapping::number).orElse(null);
    return new Numbers(whole, range, format, format == null ? comma : null);
  }

  private @Nullable Converter misplaced(String who, String setting, String what, Column column) {
    problem(misplacement(who, setting, what, column));
    return null;
  }

  private static String misplacement(String who, String setting, String what, Column column) {
    return "%s.%s is for columns that hold %s, but %s is of type %s"
        .formatted(
            who,
            setting,
            what,
            column.logicalName(),
            column.type().name().toLowerCase(Locale.ROOT).replace('_', ' '));
  }

  private static Map<String, Integer> labels(Column column, Rule rule) {
    Map<String, Integer> labels = new HashMap<>(column.options());
    labels.putAll(rule.options());
    return labels;
  }

  private @Nullable Converter choices(String who, Column column, Rule rule) {
    for (Map.Entry<String, Integer> given : rule.options().entrySet()) {
      if (!column.options().isEmpty() && !column.options().containsValue(given.getValue())) {
        problem(
            "%s.optionset.%s is %d, but %s has no such choice"
                .formatted(who, given.getKey(), given.getValue(), column.logicalName()));
        return null;
      }
    }
    return new Choices(column.type() == Column.Type.MULTI_CHOICE, column.options(), rule.options());
  }

  private @Nullable Converter lookups(String who, Column column, Rule rule) {
    Optional<Target> target = target(column, rule);
    if (target.isEmpty()) {
      String tables = column.targets().stream().map(Target::table).collect(joining(" or "));
      problem(
          rule.lookup().isPresent()
              ? "%s.lookup is %s, but %s points to %s"
                  .formatted(who, rule.lookup().get().table(), column.logicalName(), tables)
              : "%s: %s may point to %s; say which in a mapping (lookup)"
                  .formatted(who, column.logicalName(), tables));
      return null;
    }
    Lookup lookup = rule.lookup().orElse(new Lookup(target.get().table(), Optional.empty(), false));
    return new Lookups(target.get().entitySet(), lookup, numbers(false, null, rule));
  }

  private static Optional<Target> target(Column column, Rule rule) {
    if (rule.lookup().isEmpty()) {
      return column.targets().size() == 1 ? Optional.of(column.targets().get(0)) : Optional.empty();
    }
    String table = rule.lookup().get().table();
    return column.targets().stream().filter(target -> target.table().equals(table)).findFirst();
  }
}

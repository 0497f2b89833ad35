package dev.sluice.simulator.dataverse.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a table looks like. The first columns are those that every table has: its id, the version,
 * when it was created and when it was last changed; an elastic one also has a partition and a time
 * to live. Immutable.
 */
public final class TableSchema {
  /** Position of the row's id. */
  public static final int ID = 0;

  /** Position of the row's version. */
  public static final int VERSION = 1;

  /** Position of the time of its creation. */
  public static final int CREATED = 2;

  /** Position of the time of its last change. */
  public static final int MODIFIED = 3;

  /** Position of an elastic row's partition. */
  public static final int PARTITION = 4;

  private final String name;
  private final String schemaName;
  private final String setName;
  private final String primaryName;
  private final boolean elastic;
  private final boolean bulk;
  private final int objectTypeCode;
  private final List<Column> columns;
  private final List<AlternateKey> keys;
  private final Map<String, Integer> byName = new HashMap<>();
  private final Map<String, Integer> byReadName = new HashMap<>();
  private final Map<String, Navigation> byNavigation = new HashMap<>();

  /**
   * A property that leads to another table.
   *
   * @param column the position of its lookup
   * @param target the table
   */
  public record Navigation(int column, String target) {}

  TableSchema(
      String name,
      String schemaName,
      String setName,
      String idName,
      String primaryName,
      boolean elastic,
      boolean bulk,
      int objectTypeCode,
      List<Column> declared,
      Map<String, List<String>> keys) {
    this.name = name;
    this.schemaName = schemaName;
    this.setName = setName;
    this.primaryName = primaryName;
    this.elastic = elastic;
    this.bulk = bulk;
    this.objectTypeCode = objectTypeCode;
    List<Column> all = new ArrayList<>();
    all.add(Column.system(idName, ColumnType.UNIQUE_ID, true));
    all.add(Column.system("versionnumber", ColumnType.BIGINT, false));
    all.add(Column.system("createdon", ColumnType.DATE_TIME, false));
    all.add(Column.system("modifiedon", ColumnType.DATE_TIME, false));
    if (elastic) {
      all.add(Column.system("partitionid", ColumnType.STRING, true));
      all.add(Column.system("ttlinseconds", ColumnType.INTEGER, true));
    }
    all.addAll(declared);
    this.columns = List.copyOf(all);
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      if (byName.put(column.name(), i) != null) {
        throw new IllegalArgumentException(
            "table %s has two columns named '%s'".formatted(name, column.name()));
      }
      byReadName.put(column.readName(), i);
      for (Column.Link link : column.links()) {
        byNavigation.put(link.property(), new Navigation(i, link.target()));
      }
    }
    List<AlternateKey> found = new ArrayList<>();
    keys.forEach(
        (key, names) ->
            found.add(new AlternateKey(key, names.stream().map(this::declared).toList(), names)));
    this.keys = List.copyOf(found);
  }

  private int declared(String column) {
    Integer position = byName.get(column);
    if (position == null) {
      throw new IllegalArgumentException(
          "a key of table %s names the column '%s', which it does not have"
              .formatted(name, column));
    }
    return position;
  }

  /** Its logical name: {@code account}. */
  public String name() {
    return name;
  }

  /** Its schema name: {@code Account}. */
  public String schemaName() {
    return schemaName;
  }

  /** Its name in addresses: {@code accounts}. */
  public String setName() {
    return setName;
  }

  /** The column that names a row for people. */
  public String primaryName() {
    return primaryName;
  }

  /** The column that holds the id. */
  public String idName() {
    return columns.get(ID).name();
  }

  /** Whether rows are kept without transactions, by partition. */
  public boolean elastic() {
    return elastic;
  }

  /** Whether the bulk messages work on it. */
  public boolean bulk() {
    return bulk;
  }

  /** Its number in the metadata. */
  public int objectTypeCode() {
    return objectTypeCode;
  }

  /** All columns, in the order in which rows hold them. */
  public List<Column> columns() {
    return columns;
  }

  /** Its alternate keys. */
  public List<AlternateKey> keys() {
    return keys;
  }

  /** The position of the column with that logical name; null without one. */
  public @Nullable Integer position(String column) {
    return byName.get(column);
  }

  /** The position of the column that is read under that name; null without one. */
  public @Nullable Integer readPosition(String property) {
    return byReadName.get(property);
  }

  /** Where that navigation property leads; null without one. */
  public @Nullable Navigation navigation(String property) {
    return byNavigation.get(property);
  }
}

package dev.sluice.collect.sink.sql;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.connector.StreamShape;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.store.Transaction;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The table of one stream, within one transaction: a column for each member that ever had a value,
 * and the sink's own, whose names begin with {@code _sluice_}. A row is replaced whole, unless it
 * is newer than what comes.
 */
final class Table {
  static final String KEY = "_sluice_key";
  static final String CURSOR = "_sluice_cursor";
  static final String FETCHED = "_sluice_fetched";

  private final Dialect dialect;
  private final String name;
  private final boolean keyed;

  /** All columns for members, in the order of the table. */
  private final Map<String, ColumnKind> columns = new LinkedHashMap<>();

  private final Map<String, Place> placeOfMember = new HashMap<>();
  private String upsert = "";

  /** Which argument of the statement a member's value is, and what its column has room for. */
  private record Place(int argument, ColumnKind kind) {}

  private Table(Dialect dialect, String name, boolean keyed) {
    this.dialect = dialect;
    this.name = name;
    this.keyed = keyed;
  }

  /**
   * The table of a stream, with room for these members.
   *
   * @param track which the slice is of: of this stream, or of the list that it has the details of
   * @throws TableException if there is one that cannot be used
   */
  static Table of(
      Transaction transaction,
      Dialect dialect,
      TableNames names,
      Track track,
      StreamShape stream,
      Map<String, ColumnKind> members) {
    String collection = track.collection();
    boolean keyed = !stream.key().isEmpty();
    String known = names.find(collection, stream.name()).orElse(null);
    if (known != null) {
      Table table = new Table(dialect, known, keyed);
      table.readColumns(transaction, track);
      if (table.makeReadyFor(members)) {
        return table;
      }
    }
    // Somebody else may have been faster: everything is looked at again.
    names.lock();
    known = names.find(collection, stream.name()).orElse(null);
    Table table =
        new Table(dialect, known == null ? names.choose(collection, stream.name()) : known, keyed);
    if (known == null) {
      table.create(transaction);
    }
    table.readColumns(transaction, track);
    table.makeRoomFor(transaction, members);
    return table.ready(members);
  }

  /**
   * Takes these members if there is room for them as it is.
   *
   * @return whether there is
   */
  boolean makeReadyFor(Map<String, ColumnKind> members) {
    if (!hasRoomFor(members)) {
      return false;
    }
    if (upsert.isEmpty() || !placeOfMember.keySet().containsAll(members.keySet())) {
      Table unused = ready(members);
    }
    return true;
  }

  /** The statement that writes a record, unless a newer one is there. */
  String upsert() {
    return upsert;
  }

  /** A record as the statement's arguments. */
  @Nullable Object[] row(String key, String cursor, long fetched, ObjectNode body) {
    @Nullable Object[] arguments = new @Nullable Object[firstColumn() + columns.size()];
    arguments[0] = key;
    arguments[firstColumn() - 2] = cursor;
    arguments[firstColumn() - 1] = fetched;
    for (Map.Entry<String, JsonNode> member : body.properties()) {
      Place place = placeOfMember.get(member.getKey());
      if (place != null) {
        arguments[place.argument] = dialect.value(member.getValue(), place.kind);
      }
    }
    return arguments;
  }

  /** How many arguments come before those of members. */
  private int firstColumn() {
    return keyed ? 3 : 2;
  }

  private void create(Transaction transaction) {
    int unused =
        transaction.update(
            "create table %s (%s%s %s not null, %s bigint not null)"
                .formatted(
                    Identifiers.quoted(name),
                    keyed ? KEY + " text primary key, " : "",
                    CURSOR,
                    dialect.cursorType(),
                    FETCHED));
  }

  private void readColumns(Transaction transaction, Track track) {
    columns.clear();
    boolean hasKey = false;
    boolean hasCursor = false;
    List<Map.Entry<String, String>> found =
        transaction.rows(
            dialect.columnsOfTable(), row -> Map.entry(row.text(1), row.text(2)), name);
    for (Map.Entry<String, String> each : found) {
      String column = each.getKey();
      String type = each.getValue();
      if (column.equals(KEY)) {
        hasKey = true;
      } else if (column.equals(CURSOR)) {
        hasCursor = true;
      } else if (!column.equals(FETCHED)) {
        ColumnKind kind = dialect.kind(type);
        if (kind == null) {
          throw TableException.foreignType(name, column, type);
        }
        columns.put(column, kind);
      }
    }
    if (!hasCursor) {
      throw TableException.gone(name, track);
    }
    if (hasKey != keyed) {
      throw TableException.otherKey(name, keyed, track);
    }
  }

  private boolean hasRoomFor(Map<String, ColumnKind> members) {
    return members.entrySet().stream()
        .allMatch(
            member -> {
              ColumnKind kind = columns.get(columnFor(member.getKey()));
              return kind != null && dialect.hasRoom(kind, member.getValue());
            });
  }

  private void makeRoomFor(Transaction transaction, Map<String, ColumnKind> members) {
    for (Map.Entry<String, ColumnKind> member : members.entrySet()) {
      String column = columnFor(member.getKey());
      ColumnKind kind = columns.get(column);
      if (kind == null) {
        if (firstColumn() + columns.size() == dialect.mostColumns()) {
          throw TableException.tooWide(name, dialect.mostColumns());
        }
        alter(transaction, "add column %s %s", column, member.getValue());
        columns.put(column, member.getValue());
      } else if (!dialect.hasRoom(kind, member.getValue())) {
        ColumnKind wider = kind.and(member.getValue());
        alter(transaction, "alter column %1$s type %2$s using %1$s::%2$s", column, wider);
        columns.put(column, wider);
      }
    }
  }

  private void alter(Transaction transaction, String change, String column, ColumnKind kind) {
    int unused =
        transaction.update(
            "alter table "
                + Identifiers.quoted(name)
                + " "
                + change.formatted(Identifiers.quoted(column), dialect.type(kind)));
  }

  /** Under which name a member's column is, or would be made. */
  private String columnFor(String member) {
    if (columns.containsKey(member)) {
      return member;
    }
    String distinct = Identifiers.distinct(member);
    boolean own = member.regionMatches(true, 0, "_sluice_", 0, 8) || dialect.reserves(member);
    return own || columns.containsKey(distinct) || !Identifiers.fits(member, columns.keySet())
        ? distinct
        : member;
  }

  private Table ready(Map<String, ColumnKind> members) {
    List<String> order = List.copyOf(columns.keySet());
    for (String member : members.keySet()) {
      String column = columnFor(member);
      ColumnKind kind = requireNonNull(columns.get(column), "there is a column for each member");
      placeOfMember.put(member, new Place(firstColumn() + order.indexOf(column), kind));
    }
    upsert = Upsert.sql(dialect, name, keyed, columns);
    return this;
  }
}

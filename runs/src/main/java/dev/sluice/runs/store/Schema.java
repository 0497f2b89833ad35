package dev.sluice.runs.store;

import java.util.List;

/**
 * The shape of the tables, as steps from one version to the next. A step that was released is never
 * changed: a change is a new step at the end.
 *
 * <p>Times are milliseconds since 1970.
 */
final class Schema {
  /** "Slce": tells a store from other people's databases. */
  static final int APPLICATION = 0x536c6365;

  private static final List<List<String>> STEPS =
      List.of(
          List.of(
              """
              create table lease (
                name text primary key,
                fence integer not null,
                holder text not null,
                since integer not null,
                expires integer not null
              ) without rowid
              """,
              """
              create table run (
                id integer primary key,
                origin integer references run (id),
                kind text not null,
                name text not null,
                options text not null,
                nonce integer not null,
                started integer not null,
                lease text not null references lease (name),
                fence integer not null,
                ended integer,
                outcome text,
                reason text,
                detail text
              )
              """,
              "create index run_by_name on run (kind, name, id)",
              """
              create table run_count (
                run integer not null references run (id) on delete cascade,
                name text not null,
                value integer not null,
                primary key (run, name)
              ) without rowid
              """,
              """
              create table journal (
                run integer primary key references run (id) on delete cascade,
                next_id integer not null,
                highest integer not null,
                chain integer not null,
                never_begun blob not null,
                done integer not null,
                rejected integer not null,
                sidecar integer not null
              )
              """,
              """
              create table composition (
                run integer not null references journal (run) on delete cascade,
                id integer not null,
                row_set blob not null,
                primary key (run, id)
              ) without rowid
              """),
          // No reference to a run: a rehearsal has names, too, and is none.
          List.of(
              """
              create table row_name (
                run integer not null,
                list integer not null,
                name text not null,
                row_index integer not null,
                address text,
                present integer not null,
                primary key (run, list, name, row_index)
              ) without rowid
              """,
              """
              create table waiting_row (
                run integer not null,
                row_index integer not null,
                chain integer not null,
                primary key (run, row_index)
              ) without rowid
              """));

  /** The version that this program writes. */
  static final int VERSION = STEPS.size();

  private Schema() {}

  /** Looks whether the database is a store, and a current one; changes nothing. */
  static boolean isCurrent(String file, Transaction transaction) {
    long application = pragma(transaction, "application_id");
    long version = pragma(transaction, "user_version");
    if (application != APPLICATION) {
      boolean empty =
          transaction.row("select 1 from sqlite_schema limit 1", row -> 1).isEmpty()
              && application == 0;
      if (!empty) {
        throw Trouble.notAStore(file, "it is a database of another program", null);
      }
      return false;
    }
    if (version > VERSION) {
      throw Trouble.newerSchema(file, version, VERSION);
    }
    return version == VERSION;
  }

  /** Takes the steps that are missing. Somebody else may have done so meanwhile. */
  static void bringUpToDate(String file, Transaction transaction) {
    if (isCurrent(file, transaction)) {
      return;
    }
    for (List<String> step :
        STEPS.subList((int) pragma(transaction, "user_version"), STEPS.size())) {
      for (String sql : step) {
        int unused = transaction.update(sql);
      }
    }
    int unused = transaction.update("pragma application_id = " + APPLICATION);
    int unusedToo = transaction.update("pragma user_version = " + VERSION);
  }

  private static long pragma(Transaction transaction, String name) {
    return transaction.row("pragma " + name, row -> row.number(1)).orElse(0L);
  }
}

package dev.sluice.runs.store;

import java.util.List;

/**
 * The shape of the tables, as steps from one version to the next. A step that was released is never
 * changed: a change is a new step at the end. They are written in SQLite's words; see {@link
 * Dialect}.
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
              """),
          // What collections have, lack, and know of their providers.
          List.of(
              """
              create table bookmark (
                collection text not null,
                stream text not null,
                split text not null,
                mode text not null,
                cursor text,
                mark text,
                finished integer not null,
                shrink integer not null,
                committed integer not null,
                primary key (collection, stream, split, mode)
              ) without rowid
              """,
              """
              create table horizon (
                collection text not null,
                stream text not null,
                split text not null,
                place text not null,
                primary key (collection, stream, split)
              ) without rowid
              """,
              """
              create table stream_gap (
                collection text not null,
                stream text not null,
                split text not null,
                mode text not null,
                cursor text,
                reason text not null,
                detail text not null,
                since integer not null,
                due integer not null,
                run integer not null,
                primary key (collection, stream, split, mode)
              ) without rowid
              """,
              """
              create table detail_gap (
                id integer primary key,
                collection text not null,
                stream text not null,
                parent_stream text not null,
                record_key text not null,
                split text not null,
                parent text not null,
                weight integer not null,
                version integer not null,
                state text not null,
                reason text not null,
                tries integer not null,
                failures integer not null,
                first_seen integer not null,
                turn integer not null,
                due integer not null,
                resting integer not null,
                tried_in integer not null,
                leased_by integer not null,
                leased_until integer not null,
                unique (collection, stream, parent_stream, record_key)
              )
              """,
              // Each holds only what is looked for in it: those that were had or given up, however
              // many, cost nothing.
              "create index detail_gap_by_turn on detail_gap (collection, turn, id)"
                  + " where state = 'pending' and resting = 0",
              "create index detail_gap_by_due on detail_gap (collection, due)"
                  + " where state = 'pending' and resting = 1",
              "create index detail_gap_by_lease on detail_gap (collection, leased_by)"
                  + " where state = 'leased'",
              // So that counting them reads nothing else.
              "create index detail_gap_by_state on detail_gap"
                  + " (collection, stream, state, first_seen)",
              """
              create table lane (
                name text primary key,
                hold_until integer,
                cooldown_until integer,
                cooldown_reason text,
                last_pressure integer,
                consecutive integer not null default 0,
                stopped text,
                circuit text,
                rate text,
                rate_proven integer,
                profile text,
                updated integer not null
              ) without rowid
              """,
              """
              create table evidence (
                id integer primary key,
                run integer not null,
                at integer not null,
                kind text not null,
                facts text not null
              )
              """,
              "create index evidence_by_run on evidence (run, id)"),
          List.of(
              """
              create table detail_had (
                collection text not null,
                parent_stream text not null,
                split text not null,
                mode text not null,
                stream text not null,
                record_key text not null,
                edition text not null,
                run integer not null,
                primary key (collection, parent_stream, split, mode, stream, record_key)
              ) without rowid
              """),
          // So that those that were recovered long ago are found without looking at the others.
          List.of(
              "create index detail_gap_by_recovery on detail_gap (collection, turn)"
                  + " where state = 'recovered'"),
          List.of(
              """
              create table lane_user (
                lane text not null,
                process text not null,
                user_name text not null,
                seen integer not null,
                primary key (lane, process, user_name)
              ) without rowid
              """),
          List.of(
              "alter table lane add column circuit_moved integer",
              "alter table lane add column circuit_fact text"),
          // Why a lane is held, which rows are only parts of one, which lane a run uses, and
          // whether
          // a track had no turn when it was left.
          List.of(
              "alter table lane add column hold_cause text",
              "alter table lane add column part_of text",
              "alter table run add column lane text",
              "alter table stream_gap add column waited integer not null default 0"),
          // What a run that is at work says of its lane.
          List.of(
              """
              create table lane_now (
                lane text primary key,
                reason text not null,
                measured text not null,
                allowed text not null,
                at integer not null
              ) without rowid
              """),
          // What was learned of a lane with documented limits.
          List.of("alter table lane add column quota text"),
          // What a load was made from: it is known again wherever its file lies.
          List.of(
              """
              create table load_input (
                run integer primary key references run (id) on delete cascade,
                target text not null,
                label text,
                path text not null,
                size integer,
                hash text,
                rejects text not null
              )
              """,
              "create index load_input_by_target on load_input (target)",
              "create index run_by_origin on run (origin)"));

  /** The version that this program writes. */
  static final int VERSION = STEPS.size();

  private Schema() {}

  /**
   * Makes the tables of a store, or brings them up to date. Asked first without writing: an
   * up-to-date store opens while somebody else writes.
   */
  static void bringUpToDate(Store store, Dialect dialect) {
    if (!store.read(transaction -> isCurrent(dialect, transaction))) {
      store.write(
          transaction -> {
            bringUpToDate(dialect, transaction);
            return null;
          });
    }
  }

  /** Looks whether the database is a store, and a current one; changes nothing. */
  private static boolean isCurrent(Dialect dialect, Transaction transaction) {
    Dialect.Stamp found = dialect.stamp(transaction);
    if (!found.ours()) {
      if (!found.empty()) {
        throw dialect.foreign();
      }
      return false;
    }
    if (found.version() > VERSION) {
      throw new StoreException(
          StoreException.Problem.NEWER_SCHEMA,
          "the %s was written by a newer version (its schema is %d, this version knows %d); use that version, or name another store"
              .formatted(dialect, found.version(), VERSION),
          null);
    }
    return found.version() == VERSION;
  }

  /** Takes the steps that are missing. Somebody else may have done so meanwhile. */
  private static void bringUpToDate(Dialect dialect, Transaction transaction) {
    if (isCurrent(dialect, transaction)) {
      return;
    }
    int before = (int) dialect.stamp(transaction).version();
    dialect.prepare(transaction);
    for (List<String> step : STEPS.subList(before, STEPS.size())) {
      for (String sql : step) {
        int unused = transaction.update(dialect.translated(sql));
      }
    }
    dialect.stamp(transaction, VERSION);
  }
}

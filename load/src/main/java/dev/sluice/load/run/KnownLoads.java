package dev.sluice.load.run;

import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Transaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The loads that a store knows, seen from one that wants to begin: which of them is the same, or is
 * in its way.
 *
 * @param wanted the load that wants to begin
 * @param restart whether an unfinished one is forgotten
 * @param again whether a finished one does not count
 */
record KnownLoads(LoadIdentity wanted, boolean restart, boolean again) {

  /**
   * A load that the store knows.
   *
   * @param last its last run
   * @param lease what its runs hold
   * @param rejects where its rejected records are
   * @param mayHaveRows whether a row of it is in the table, or may be
   * @param read how many records were read, of which so many are done or rejected
   */
  record Known(
      RunRecord last,
      String lease,
      @Nullable String label,
      String path,
      long size,
      @Nullable String hash,
      String rejects,
      boolean mayHaveRows,
      long read,
      long done,
      long rejected) {
    boolean unfinished() {
      return last.resumable();
    }

    /** How far it came, for people. */
    String counts() {
      return "%,d records read, %,d done, %,d rejected".formatted(read, done, rejected);
    }

    /** Under which name, for people; empty if it has none. */
    String under() {
      return label == null ? "" : " under the name '%s'".formatted(label);
    }
  }

  /** What follows from what is known. */
  sealed interface Decision {
    /**
     * It begins.
     *
     * @param forgotten unfinished loads that it takes the place of
     */
    record Begin(List<Known> forgotten) implements Decision {}

    /** It goes on with an unfinished one. */
    record Resume(Known earlier) implements Decision {}

    /** It was loaded before. */
    record Finished(Known earlier) implements Decision {}

    /** Another process is at it, or at another load of the same file. */
    record Running(Known other) implements Decision {}

    /** It cannot begin; the message says what to do. */
    record Refused(String message) implements Decision {}
  }

  Decision decide(Transaction transaction) {
    List<Known> all = related(transaction);
    Optional<Known> running = first(all, known -> known.last().running());
    if (running.isPresent()) {
      return new Decision.Running(running.get());
    }
    List<Known> own = own(all);
    List<Known> unfinished = own.stream().filter(Known::unfinished).toList();
    List<Known> changed = wanted.label() == null ? changed(all, own) : List.of();
    if (!restart) {
      Decision decision = goOn(unfinished, changed);
      if (decision != null) {
        return decision;
      }
    }
    Decision inTheWay = again || (restart && !unfinished.isEmpty()) ? null : loaded(all, own);
    if (inTheWay != null) {
      return inTheWay;
    }
    List<Known> forgotten = new ArrayList<>(unfinished);
    forgotten.addAll(changed);
    return new Decision.Begin(forgotten);
  }

  /** Those with the same content or name, or of the same path, the latest first. */
  private List<Known> related(Transaction transaction) {
    Fingerprint content = wanted.content();
    List<Known> found = new ArrayList<>();
    for (Stored stored :
        transaction.rows(
            """
            select run, label, path, size, hash, rejects from load_input
            where target = ? and (hash = ? or path = ? or label = ?)
            """,
            row ->
                new Stored(
                    row.number(1),
                    row.textOrNull(2),
                    row.text(3),
                    row.number(4),
                    row.textOrNull(5),
                    row.text(6)),
            wanted.target(),
            content == null ? null : content.hash(),
            wanted.label() == null ? wanted.path() : null,
            wanted.label())) {
      found.add(known(transaction, Runs.lastOf(transaction, stored.origin).orElseThrow(), stored));
    }
    if (content == null) { // all standard inputs have one path
      found.removeIf(known -> !Objects.equals(known.label(), wanted.label()));
    }
    found.sort(Comparator.comparingLong((Known known) -> known.last().id()).reversed());
    return found;
  }

  private record Stored(
      long origin,
      @Nullable String label,
      String path,
      long size,
      @Nullable String hash,
      String rejects) {}

  private static Known known(Transaction transaction, RunRecord last, Stored stored) {
    return transaction
        .row(
            """
            select lease, coalesce(highest, -1) + 1, coalesce(done, 0), coalesce(rejected, 0),
              case when done > 0 or exists (select 1 from composition where run = journal.run)
                or exists (select 1 from waiting_row where run = journal.run) then 1 else 0 end
            from run left join journal on journal.run = ? where run.id = ?
            """,
            row ->
                new Known(
                    last,
                    row.text(1),
                    stored.label,
                    stored.path,
                    stored.size,
                    stored.hash,
                    stored.rejects,
                    row.number(5) != 0,
                    row.number(2),
                    row.number(3),
                    row.number(4)),
            last.origin(),
            last.id())
        .orElseThrow();
  }

  /** Those that are the same load, whether what is done with the rows is the same or not. */
  private List<Known> own(List<Known> all) {
    if (wanted.label() != null) {
      List<Known> named =
          all.stream().filter(known -> wanted.label().equals(known.label())).toList();
      if (!named.isEmpty()) {
        return named;
      }
    }
    return all.stream()
        .filter(known -> wanted.label() == null || known.label() == null)
        .filter(known -> sameContent(known) || isUnnamedStream(known) || isMended(known))
        .toList();
  }

  private boolean sameContent(Known known) {
    Fingerprint content = wanted.content();
    return content != null && content.hash().equals(known.hash()) && content.size() == known.size();
  }

  /**
   * Could not be read to its end, or changed meanwhile: the records that were read are compared.
   */
  private boolean isMended(Known known) {
    return known.path().equals(wanted.path())
        && known.last().outcome().orElse(null) instanceof Outcome.Failed failed
        && failed.reason() == Reason.Failure.INVALID;
  }

  private boolean isUnnamedStream(Known known) {
    return wanted.content() == null && wanted.label() == null && known.label() == null;
  }

  /** Unfinished loads of another content that lay at the same path. */
  private List<Known> changed(List<Known> all, List<Known> own) {
    String operation = wanted.work().substring(0, wanted.work().indexOf(' ') + 1);
    return all.stream()
        .filter(known -> !own.contains(known) && known.unfinished())
        .filter(known -> known.path().equals(wanted.path()))
        .filter(known -> known.last().options().startsWith(operation))
        .toList();
  }

  /** What has no row in the table is in nobody's way: a file, or a mapping, that was mended. */
  private @Nullable Decision goOn(List<Known> unfinished, List<Known> changed) {
    Optional<Known> same = first(unfinished, this::sameWork);
    if (same.isPresent()) {
      return new Decision.Resume(same.get());
    }
    Optional<Known> otherWork = first(unfinished, Known::mayHaveRows);
    if (otherWork.isPresent()) {
      return new Decision.Refused(
          ("an unfinished load of this input was started with other options (%s; now %s); finish it"
                  + " with the options that it had, or start over with --restart (rows that are in"
                  + " stay in)")
              .formatted(LoadIdentity.work(otherWork.get().last().options()), wanted.work()));
    }
    return first(changed, Known::mayHaveRows)
        .map(known -> new Decision.Refused(changed(known)))
        .orElse(null);
  }

  private boolean sameWork(Known known) {
    return LoadIdentity.work(known.last().options()).equals(wanted.work());
  }

  /** What was done before under this name, or with this content. */
  private @Nullable Decision loaded(List<Known> all, List<Known> own) {
    if (wanted.label() == null && wanted.content() == null) {
      return null; // nobody knows what comes through standard input
    }
    boolean named = own.stream().anyMatch(known -> Objects.equals(known.label(), wanted.label()));
    for (Known known : own) {
      if (known.unfinished()) {
        continue;
      }
      if (sameOptions(known) && (sameContent(known) || wanted.content() == null)) {
        return new Decision.Finished(known);
      }
      if (named && wanted.label() != null) {
        return new Decision.Refused(nameTaken(known));
      }
    }
    Optional<Known> other = first(all, known -> sameContent(known) && sameOptions(known));
    return other
        .<Decision>map(
            known ->
                known.unfinished()
                    ? new Decision.Refused(otherName(known))
                    : new Decision.Finished(known))
        .orElse(null);
  }

  private boolean sameOptions(Known known) {
    return known.last().options().equals(wanted.options());
  }

  private String changed(Known known) {
    Fingerprint now = Objects.requireNonNull(wanted.content());
    return ("%s has changed since a load of it that is not finished (begun %s, %s; the file had %,d"
            + " bytes, now %,d); put the file back to finish that load, or give it up with"
            + " --restart and load the file as it is now (rows that are in stay in)")
        .formatted(wanted.path(), known.last().begun(), known.counts(), known.size(), now.size());
  }

  private String nameTaken(Known known) {
    return ("the name '%s' was given to another load (%s, %s, %s); give another name, or load this"
            + " under the same one with --again")
        .formatted(
            wanted.label(),
            known.last().options(),
            known.path(),
            known.last().ended().orElse(known.last().started()));
  }

  private String otherName(Known known) {
    return ("a load of the same content is not finished%s (%s, begun %s, %s); go on with that, or"
            + " load it a second time with --again")
        .formatted(known.under(), known.path(), known.last().begun(), known.counts());
  }

  /** What became of a load that is finished, for people. */
  String finished(Known known) {
    return "%s was loaded into %s%s on %s: %s; nothing was sent now. To load it once more, say --again"
        .formatted(
            wanted.input(),
            wanted.target().substring(wanted.target().lastIndexOf(' ') + 1),
            known.under(),
            known.last().ended().orElse(known.last().started()),
            known.counts());
  }

  private static Optional<Known> first(List<Known> all, Predicate<Known> which) {
    return all.stream().filter(which).findFirst();
  }

  /**
   * Whether an unfinished load has this reject file.
   *
   * @param own runs that began loads which do not count
   */
  boolean isTaken(Transaction transaction, Path rejects, List<Long> own) {
    return transaction
        .rows(
            """
            select run from load_input where rejects = ? and not exists (
              select 1 from run where (run.id = load_input.run or run.origin = load_input.run)
                and run.outcome in ('completed', 'completed_with_rejections'))
            """,
            row -> row.number(1),
            stored(rejects))
        .stream()
        .anyMatch(run -> !own.contains(run));
  }

  private static String stored(Path rejects) {
    return rejects.toAbsolutePath().normalize().toString();
  }

  /** Writes down what a load that begins is made from. */
  void add(Transaction transaction, RunRecord run, Path rejects, List<Known> forgotten) {
    for (Known known : forgotten) {
      int unused =
          transaction.update("delete from load_input where run = ?", known.last().origin());
    }
    int unused = put(transaction, run, rejects);
  }

  /** Writes down where a load that goes on has its file now; its rejects may be elsewhere still. */
  void update(Transaction transaction, RunRecord run, Known earlier) {
    int unused = put(transaction, run, Path.of(earlier.rejects()));
  }

  /** Writes down where the file of a load is, and its rejected records. */
  int put(Transaction transaction, RunRecord run, Path rejects) {
    Fingerprint content = wanted.content();
    return transaction.update(
        """
        insert into load_input (run, target, label, path, size, hash, rejects)
        values (?, ?, ?, ?, ?, ?, ?)
        on conflict (run) do update set label = coalesce(excluded.label, load_input.label),
          path = excluded.path, size = excluded.size, hash = excluded.hash,
          rejects = excluded.rejects
        """,
        run.origin(),
        wanted.target(),
        wanted.label(),
        wanted.path(),
        content == null ? null : content.size(),
        content == null ? null : content.hash(),
        stored(rejects));
  }
}

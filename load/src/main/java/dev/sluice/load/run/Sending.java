package dev.sluice.load.run;

import dev.sluice.dataverse.bulk.BulkEnd;
import dev.sluice.dataverse.bulk.BulkJob;
import dev.sluice.dataverse.bulk.BulkOperationExecutor;
import dev.sluice.dataverse.bulk.BulkProgress;
import dev.sluice.dataverse.bulk.BulkResult;
import dev.sluice.dataverse.bulk.BulkRun;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.gate.Run;
import dev.sluice.load.RowIds;
import dev.sluice.load.input.Input;
import dev.sluice.load.input.RecordReader;
import dev.sluice.load.mapping.MappingException;
import dev.sluice.load.reject.RejectFile;
import dev.sluice.runs.journal.Journal;
import dev.sluice.runs.lease.LeaseLostException;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends the records of an input: first all of them without look-ups to each other, then, if there
 * are such look-ups, the input is read once more and they are set.
 *
 * <p>Run by one thread; {@link #progress} and {@link #cancel} are for any.
 */
final class Sending {
  /** So long what is with the service may take when too many records were rejected. */
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(30);

  private final LoadRequest request;
  private final BulkOperationExecutor executor;
  private final Store store;
  private final Journal journal;
  private final RejectFile rejects;
  private final RowIds ids;
  private final RowNames names;
  private final WaitingRows waiting;
  private final Linking linking;
  private final Run account;
  private final RejectWatch watch;
  private final OnTheWay onTheWay = new OnTheWay();
  private final LinkJournal linkJournal;
  private final LoadJournal loadJournal;
  private final LoadSource source;
  private final long size;
  private volatile @Nullable Pass pass;
  private volatile @Nullable Duration cancelled;

  /**
   * A pass over the input that has begun.
   *
   * @param before what the pass before it has sent; null for the first
   */
  private record Pass(
      BulkRun bulk, Supplier<BulkProgress> sending, @Nullable BulkProgress before) {}

  /**
   * What is to be sent.
   *
   * @param origin the run that began this work
   * @throws MappingException if columns have no place in the table
   */
  Sending(
      LoadRequest request,
      BulkOperationExecutor executor,
      Store store,
      Journal journal,
      RejectFile rejects,
      RowIds ids,
      long origin,
      RecordReader reader,
      CountedStream stream)
      throws MappingException, IOException {
    this.request = request;
    this.executor = executor;
    this.store = store;
    this.journal = journal;
    this.rejects = rejects;
    this.ids = ids;
    this.names = new RowNames(origin, ids);
    this.waiting = new WaitingRows(origin);
    this.linking = new Linking(names, waiting, store.read(waiting::count));
    this.watch =
        new RejectWatch(
            request.maxRejects(), journal.resume().rejected(), () -> cancel(LAST_ANSWERS));
    this.linkJournal = new LinkJournal(journal, rejects, onTheWay, waiting, request.table(), watch);
    this.account = Run.within("load", request.envelope().budget());
    FirstLines firstLines = new FirstLines();
    this.loadJournal = new LoadJournal(journal, rejects, onTheWay, linking, watch, firstLines);
    this.size = request.readsStandardInput() ? 0 : Files.size(Path.of(request.source()));
    this.source =
        new LoadSource(
            reader,
            request.mapper(reader, ids),
            loadJournal,
            onTheWay,
            firstLines,
            () -> share(stream),
            stream::verify);
  }

  /** Where it stands; empty until it has begun to send. */
  Optional<LoadProgress> progress() {
    Pass now = pass;
    return now == null ? Optional.empty() : Optional.of(progress(now));
  }

  /** Sends nothing more, and lets what is with the service come back within {@code grace}. */
  void cancel(Duration grace) {
    cancelled = grace;
    Pass now = pass;
    if (now != null) {
      now.bulk().cancel(grace);
    }
  }

  /** Whether it was stopped because more records were rejected than it allows. */
  boolean stoppedByRejects() {
    return watch.exceeded();
  }

  /** What was rejected, in numbers: a clause for people. */
  String rejectWords() {
    return watch.words();
  }

  /** Whether the input was read to its end. */
  boolean complete() {
    return source.ended();
  }

  /**
   * Carries it out, and returns when everything that came of it is durable.
   *
   * @throws LoadException if the input is not what an earlier run has read
   */
  BulkEnd run() throws LoadException, IOException {
    BulkEnd end = firstPass();
    if (end instanceof BulkEnd.Completed && linking.waiting() > 0) {
      end = secondPass();
    }
    try {
      journal.close();
      return end;
    } catch (StoreException | LeaseLostException e) {
      return new BulkEnd.Broken(e); // what came of the last records is not on record
    }
  }

  private BulkEnd firstPass() throws LoadException, IOException {
    List<BulkJob.Begun> begun = source.rewind(journal.resume());
    BulkJob job =
        BulkJob.of(request.table(), request.operation(), source)
            .withJournal(loadJournal, begun, Instant.ofEpochMilli(ids.startMillis()));
    return carryOut(job, source::readUntil);
  }

  /** Rows are updated by the keys under which they went in; never made anew if they are gone. */
  private BulkEnd secondPass() {
    try {
      journal.flush(); // names and rows that wait are found in the store
      CountedStream again = new CountedStream(Input.file(request.source()));
      try (RecordReader reader = Input.read(request.source(), again, request.input())) {
        LinkSource links =
            new LinkSource(
                store,
                reader,
                request.mapper(reader, ids),
                waiting,
                linking.waiting(),
                new Resolver(store, names),
                linkJournal,
                onTheWay);
        BulkJob job =
            BulkJob.of(request.table(), Operation.UPDATE, links)
                .withJournal(linkJournal, List.of(), Instant.ofEpochMilli(ids.startMillis()));
        return carryOut(job, links::readUntil);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new BulkEnd.Cancelled();
    } catch (IOException | MappingException e) {
      return new BulkEnd.Broken(e);
    }
  }

  private BulkEnd carryOut(BulkJob job, Consumer<BooleanSupplier> readUntil) {
    BulkRun bulk = executor.prepare(job.withOptions(request.bulk()).withRun(account));
    // Not before: a source that ended first would make an unfinished job look complete.
    readUntil.accept(bulk::isStopped);
    Pass earlier = pass;
    BulkProgress before = earlier == null ? null : earlier.sending().get();
    pass = new Pass(bulk, bulk::progress, before);
    Duration grace = cancelled;
    if (grace != null) {
      bulk.cancel(grace);
    }
    BulkResult result = bulk.run();
    pass = new Pass(bulk, result::progress, before);
    return result.end();
  }

  private LoadProgress progress(Pass now) {
    BulkProgress sending = now.sending().get();
    BulkProgress first = now.before() == null ? sending : now.before();
    long set = linkJournal.set();
    long refused = linkJournal.rejected();
    long waiting = linking.waiting() - set - refused;
    long read = source.read();
    long done = journal.resume().done() + first.done() - waiting - refused;
    long rejected = journal.resume().rejected() + source.rejected() + first.rejected() + refused;
    return new LoadProgress(
        read,
        done,
        rejected,
        rejects.reasons().outOf(rejected),
        new LoadProgress.Lookups(waiting, set),
        now.before() == null ? left(read, done + rejected, waiting) : OptionalLong.of(waiting),
        now.before() == null ? sending : sending.after(now.before()));
  }

  /** In the first pass: what has no outcome, and as large a share of look-ups as so far. */
  private OptionalLong left(long read, long settled, long waiting) {
    OptionalLong unread = source.unread();
    if (unread.isEmpty()) {
      return unread;
    }
    long through = settled + waiting;
    long left = Math.max(0, read + unread.getAsLong() - through);
    return OptionalLong.of(
        left + (waiting == 0 ? 0 : Math.round(waiting * (1 + left / (double) through))));
  }

  /** How much of the input was read; NaN if its size is unknown. */
  private double share(CountedStream read) {
    return size <= 0 ? Double.NaN : Math.min(1, read.count() / (double) size);
  }
}

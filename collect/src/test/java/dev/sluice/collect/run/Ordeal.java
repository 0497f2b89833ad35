package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.run.ArchiveConnector.Line;
import dev.sluice.collect.sink.Sink;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.gap.StreamGap;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A collection drawn by chance, what it has to go through, and what has to hold. First everything
 * happens that can happen, then all is calm, and everything has to be there.
 */
final class Ordeal implements AutoCloseable {
  /** So many runs of a calm world are more than enough. */
  private static final int MOST_CALM_RUNS = 60;

  private final SimulatedTime time;
  private final RandomGenerator random;
  private final TestDatabase kind;
  private final TestDatabase.Database database;
  private final Store state;
  private final Depot depot;
  private final Archive archive;
  private final ArchiveConnector connector;
  private final Ledger ledger;
  private final boolean clockIsSet;
  private int processes;

  Ordeal(long seed, SimulatedTime time, TestDatabase kind, Depot.Kind depot) {
    this.time = time;
    this.random = new SplittableRandom(seed);
    this.kind = kind;
    this.database = kind.create();
    this.state = database.open(time);
    this.depot = depot.open(kind == TestDatabase.POSTGRESQL);
    this.clockIsSet = random.nextBoolean();
    this.archive =
        new Archive(
            time,
            new SplittableRandom(random.nextLong()),
            List.of(0, 5, 20).get(random.nextInt(3)),
            !clockIsSet);
    this.connector = new ArchiveConnector(archive, lines());
    this.ledger = new Ledger(archive, connector, this.depot);
    for (Line line : connector.lines()) {
      for (String each : line.lines()) {
        archive.grow(each, random.nextInt(20));
        if (random.nextInt(3) == 0) {
          archive.refuse(each + "-" + random.nextInt(20), random.nextInt(1, 6));
        }
      }
    }
  }

  private List<Line> lines() {
    boolean notesKeyed = random.nextBoolean();
    List<Line> lines = new ArrayList<>();
    lines.add(line("papers", random.nextInt(1, 3), false, true, true, notesKeyed));
    if (random.nextBoolean()) {
      lines.add(line("chronicle", 1, true, true, random.nextBoolean(), notesKeyed));
    }
    if (random.nextBoolean()) {
      lines.add(line("events", 1, false, false, false, notesKeyed));
    }
    return lines;
  }

  private Line line(
      String name, int splits, boolean caughtUp, boolean keyed, boolean noted, boolean notesKeyed) {
    return new Line(
        name,
        splits,
        caughtUp,
        keyed,
        noted,
        notesKeyed,
        random.nextInt(1, 8),
        random.nextInt(1, 4));
  }

  /** Two workers, each of whose processes meets some fate, while the world is as it is. */
  void rage() throws InterruptedException {
    List<Time.Task> workers = new ArrayList<>();
    for (int worker = 0; worker < 2; worker++) {
      RandomGenerator chance = new SplittableRandom(random.nextLong());
      workers.add(time.start("worker " + worker, () -> work(chance)));
    }
    Time.Task world = time.start("the world", this::turn);
    for (Time.Task worker : workers) {
      worker.join();
    }
    world.interrupt();
    world.join();
  }

  private void work(RandomGenerator chance) {
    try {
      for (int runs = chance.nextInt(1, 7); runs > 0; runs--) {
        MortalProcess.Fate[] fates = MortalProcess.Fate.values();
        CollectionRequest request =
            CollectionRequest.of("mine", connector)
                .withEnvelope(
                    chance.nextInt(3) == 0
                        ? Envelope.UNBOUNDED.withRequestCap(chance.nextInt(1, 12))
                        : Envelope.UNBOUNDED);
        Life unused =
            live(
                request,
                fates[chance.nextInt(fates.length)],
                chance.nextInt(4) == 0 ? MortalProcess.IMMORTAL : chance.nextInt(80));
        time.sleep(Duration.ofSeconds(chance.nextInt(chance.nextBoolean() ? 90 : 3_000)));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Lines grow, and the wall clock is set. */
  private void turn() {
    try {
      while (true) {
        time.sleep(Duration.ofSeconds(random.nextInt(1, 600)));
        Line line = connector.lines().get(random.nextInt(connector.lines().size()));
        archive.grow(line.lines().get(random.nextInt(line.splits())), random.nextInt(3));
        if (clockIsSet && random.nextInt(3) == 0) {
          Duration by = Duration.ofSeconds(random.nextInt(-7_200, 7_200));
          time.jumpWallClock(by);
          archive.clockWasSet(by);
        }
      }
    } catch (InterruptedException e) {
      return; // the end of the storm
    }
  }

  /**
   * One process does what it can, alone, and time passes.
   *
   * @return how many steps it made
   */
  long meet(MortalProcess.Fate fate, long step) throws InterruptedException {
    Life life = live(CollectionRequest.of("mine", connector), fate, step);
    time.sleep(Duration.ofSeconds(random.nextInt(90)));
    return life.process.steps();
  }

  /** A process that has ended, and what its run came to; null if it was killed before. */
  private record Life(MortalProcess process, @Nullable CollectionResult result) {}

  private Life live(CollectionRequest request, MortalProcess.Fate fate, long step)
      throws InterruptedException {
    int number = ++processes;
    boolean shared = kind == TestDatabase.SQLITE_IN_MEMORY;
    Store disk = shared ? state : database.open(time);
    MortalProcess process =
        new MortalProcess(
            ledger.watched(disk, number), archive.wire(number), archive::heard, time, fate, step);
    List<CollectionResult> result = new ArrayList<>();
    try (Sink sink = depot.sink(time)) {
      process.run(() -> result.add(process.collect(request, sink)));
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      if (!shared) {
        disk.close();
      }
    }
    return new Life(process, process.isDead() || result.isEmpty() ? null : result.getFirst());
  }

  /** All is calm: after some runs everything is there. */
  void calmDown() throws InterruptedException {
    archive.calmDown();
    Outcome outcome = new Outcome.AlreadyRunning();
    List<Outcome> outcomes = new ArrayList<>();
    while (!(outcome instanceof Outcome.Completed)) {
      assertThat(outcomes).as("outcomes of calm runs").hasSizeLessThan(MOST_CALM_RUNS);
      // Longer than a lease; sometimes as long as a provider may be left alone.
      time.sleep(Duration.ofMinutes(random.nextInt(2, 400)));
      CollectionResult result =
          live(
                  CollectionRequest.of("mine", connector),
                  MortalProcess.Fate.KILLED_BEFORE,
                  MortalProcess.IMMORTAL)
              .result();
      outcome = result == null ? outcome : result.outcome();
      outcomes.add(outcome);
      if (ledger.holder(Track.recovery("mine")) == processes) {
        everyEligibleGapIsServed(outcome);
      }
    }
  }

  private void everyEligibleGapIsServed(Outcome outcome) {
    if (!(outcome instanceof Outcome.Completed || outcome instanceof Outcome.CompletedWithGaps)) {
      return;
    }
    RunRecord run = new Runs(state, time).last(Collector.KIND, "mine").orElseThrow();
    assertThat(
            state.<List<String>>read(
                transaction ->
                    transaction.rows(
                        "select record_key from detail_gap where state in ('pending', 'leased')"
                            + " and turn < ? and due <= ? and tried_in <> ?",
                        row -> row.text(1),
                        run.started(),
                        run.started(),
                        run.id())))
        .as("gaps that a run could have served, and did not")
        .isEmpty();
  }

  /** What has to hold whatever happened. */
  void check() {
    nothingWasDoneAgainstTheRules();
    nothingWasSentEarlierThanTold();
    everyRecordIsThereOnce();
    nothingIsKnownToBeMissing();
  }

  private void nothingWasDoneAgainstTheRules() {
    assertThat(ledger.offences()).as("old holders' writes, bookmarks too far or back").isEmpty();
  }

  private void nothingWasSentEarlierThanTold() {
    assertThat(archive.early()).as("requests earlier than told").isEmpty();
  }

  private void everyRecordIsThereOnce() {
    List<String> notes = new ArrayList<>();
    for (Line line : connector.lines()) {
      List<String> records = new ArrayList<>();
      for (String each : line.lines()) {
        records.addAll(archive.records(each));
      }
      assertThat(readable(line.name()))
          .as("records of " + line)
          .containsExactlyInAnyOrderElementsOf(records);
      if (line.noted()) {
        records.forEach(record -> notes.addAll(Archive.notes(record)));
      }
    }
    assertThat(readable(ArchiveConnector.NOTES))
        .as("notes of " + connector.lines())
        .containsExactlyInAnyOrderElementsOf(notes);
  }

  private List<String> readable(String stream) {
    return state.read(transaction -> depot.readable(transaction, stream));
  }

  private void nothingIsKnownToBeMissing() {
    assertThat(state.<List<StreamGap>>read(transaction -> StreamGaps.of(transaction, "mine")))
        .isEmpty();
    assertThat(
            state.<List<String>>read(
                transaction ->
                    transaction.rows(
                        "select record_key from detail_gap where state not in ('recovered',"
                            + " 'gone')",
                        row -> row.text(1))))
        .isEmpty();
  }

  @Override
  public void close() {
    depot.close();
    state.close();
    database.close();
  }
}

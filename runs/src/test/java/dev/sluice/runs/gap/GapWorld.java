package dev.sluice.runs.gap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.runs.gap.DetailGap.State;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.TestDatabase;
import dev.sluice.runs.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One collection with detail gaps, in simulated time. */
record GapWorld(SimulatedTime time, Store store) {
  static final String COLLECTION = "mine";
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final Miss NOT_SENT = new Miss.NotSent(Reason.Planned.REQUEST_CAP);
  static final Miss PUT_OFF = new Miss.PutOff(Reason.Pressure.RATE_LIMITED, Optional.empty());
  static final Miss REFUSED = new Miss.Refused(Reason.Failure.FORBIDDEN, Optional.empty());

  interface Story {
    void tell(GapWorld world) throws Exception;
  }

  static void simulate(TestDatabase database, Story story) {
    database.simulate(1, (time, store) -> story.tell(new GapWorld(time, store)));
  }

  static MissingDetail detail(String key, String parent) {
    return new MissingDetail(COLLECTION, "comments", "issues", key, "", parent);
  }

  void note(String key) {
    note(key, "{}", 1, NOT_SENT);
  }

  void note(String key, String parent, long run, Miss miss) {
    note(detail(key, parent), run, miss);
  }

  void note(MissingDetail detail, long run, Miss miss) {
    store.write(
        transaction -> {
          boolean unused = MissedDetails.note(transaction, detail, run, miss);
          return null;
        });
  }

  /** So many at once, with keys from k10000 upwards. */
  void noteMany(int count, String parent, Miss miss) {
    store.write(
        transaction -> {
          for (int i = 0; i < count; i++) {
            boolean unused =
                MissedDetails.note(transaction, detail("k" + (10_000 + i), parent), 1, miss);
          }
          return null;
        });
  }

  void recovered(List<DetailGap> page) {
    store.write(
        transaction -> {
          page.forEach(gap -> assertThat(recovered(transaction, gap)).isTrue());
          return null;
        });
  }

  void putOff(List<DetailGap> page, long run) {
    store.write(
        transaction -> {
          page.forEach(
              gap -> assertThat(missed(transaction, gap, run, PUT_OFF)).isEqualTo(State.PENDING));
          return null;
        });
  }

  /** A page for a run that begins now, a moment after everything before. */
  List<DetailGap> page(long run) {
    return page(run, time.instant().plusMillis(1));
  }

  List<DetailGap> page(long run, Instant began) {
    return page(run, began, LeasedGaps.PAGE_BYTES);
  }

  List<DetailGap> page(long run, Instant began, int bytes) {
    return store.write(transaction -> LeasedGaps.page(transaction, COLLECTION, run, began, bytes));
  }

  List<String> keys(long run) {
    return page(run).stream().map(DetailGap::recordKey).toList();
  }

  State missed(DetailGap gap, long run, Miss miss) {
    return store.write(transaction -> missed(transaction, gap, run, miss));
  }

  private static State missed(Transaction transaction, DetailGap gap, long run, Miss miss) {
    return LeasedGaps.missed(transaction, gap.id(), gap.version(), run, miss);
  }

  boolean recovered(DetailGap gap) {
    return store.write(transaction -> recovered(transaction, gap));
  }

  private static boolean recovered(Transaction transaction, DetailGap gap) {
    return LeasedGaps.recovered(transaction, gap.id(), gap.version());
  }

  boolean gone(DetailGap gap, long run) {
    return missed(gap, run, new Miss.Gone(Reason.Failure.NOT_FOUND)) == State.GONE;
  }

  void release(long run) {
    store.write(
        transaction -> {
          LeasedGaps.release(transaction, COLLECTION, run);
          return null;
        });
  }

  /** The gap as it is now. */
  DetailGap now(String key) {
    return store
        .read(transaction -> DetailGaps.list(transaction, COLLECTION, Optional.empty(), 99))
        .stream()
        .filter(gap -> gap.recordKey().equals(key))
        .findFirst()
        .orElseThrow();
  }
}

package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.run.MortalProcess.Fate;
import dev.sluice.collect.sink.Sink;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.gap.StreamGap;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A run that stands still for longer than its lease, while another process takes its track over and
 * moves on: once it wakes, everything stays as the newer holder left it. At every step in turn.
 */
class CollectorStandstillTest {
  private static final String LEASE = new Track("mine", "items", "", Mode.STEADY).leaseName();

  /** Not to the end, if it has to begin at the beginning. */
  private static final Envelope FOUR = Envelope.UNBOUNDED.withRequestCap(FivePages.PAGES - 1);

  /** More than a run of five pages makes. */
  private static final int MOST_STEPS = 200;

  /** What a newer holder leaves. */
  private record Left(Optional<String> bookmark, List<StreamGap> gaps, List<String> readable) {
    static Left in(FivePages scene, Depot depot) {
      return new Left(
          scene.bookmark(),
          scene.gaps(),
          scene.store.read(state -> depot.readable(state, "items")).stream().sorted().toList());
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_run_that_wakes_after_its_track_was_taken_over_commits_nothing(Depot.Kind kind) {
    int takenOver = 0;
    AtomicBoolean held = new AtomicBoolean();
    for (int step = 0; step < MOST_STEPS && (takenOver == 0 || held.get()); step++) {
      standAt(step, kind, held);
      takenOver += held.get() ? 1 : 0;
    }
    assertThat(takenOver)
        .as("steps at which it stood still and lost its track")
        .isBetween(10, MOST_STEPS / 2);
  }

  /** Sets whether the track was held by the one that stood still. */
  private static void standAt(int step, Depot.Kind kind, AtomicBoolean held) {
    FivePages.play(
        scene -> {
          try (Depot depot = kind.open(false);
              Sink slow = depot.sink(scene.time);
              Sink quick = depot.sink(scene.time)) {
            MortalProcess sleeper =
                new MortalProcess(scene.store, scene::send, scene.time, Fate.STANDSTILL, step);
            CollectionRequest request = scene.request();
            Time.Task first =
                scene.time.start(
                    "sleeper", () -> live(sleeper, () -> sleeper.collect(request, slow)));
            scene.time.sleep(Leases.TERM.dividedBy(2));
            held.set(new Leases(scene.store, scene.time).held(LEASE).isPresent());
            scene.time.sleep(Leases.TERM);
            Outcome newer =
                scene
                    .collect(request.withEnvelope(FOUR), quick, scene.store, scene::send)
                    .outcome();
            Left left = Left.in(scene, depot);
            first.join();
            if (held.get()) {
              assertThat(newer).isNotEqualTo(new Outcome.AlreadyRunning());
              assertThat(Left.in(scene, depot)).as("%s, at step %d", kind, step).isEqualTo(left);
            }
          }
        });
  }

  private static void live(MortalProcess process, MortalProcess.Life life) {
    try {
      process.run(life);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}

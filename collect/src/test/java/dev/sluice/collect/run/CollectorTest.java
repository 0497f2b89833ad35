package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.pacing.FixedRatePolicy;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.bookmark.Bookmark;
import dev.sluice.runs.bookmark.Bookmarks;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.gap.LeasedGaps;
import dev.sluice.runs.gap.StreamGap;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.lease.Claim;
import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.pressure.Cooldown;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import dev.sluice.simulator.catalogue.CatalogueOptions;
import dev.sluice.simulator.limit.LimitOptions;
import dev.sluice.simulator.provider.ServiceOptions;
import dev.sluice.simulator.provider.Signal;
import dev.sluice.simulator.provider.http.Provider;
import dev.sluice.simulator.provider.http.ProviderOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs of a collection against a simulated provider, in simulated time. */
class CollectorTest {
  private static final int ITEMS = 230;
  private static final ProviderOptions OPTIONS =
      ProviderOptions.DEFAULTS.withCatalogue(CatalogueOptions.DEFAULTS.withItems(ITEMS));
  private static final Track TRACK = new Track("mine", "items", "", Mode.STEADY);

  private interface Story {
    void happen(Scene scene) throws Exception;
  }

  /** A provider, a disk, and a process that can be started again. */
  private static final class Scene {
    final Time time;
    final Store store;
    final Provider provider;
    final MemorySink sink = new MemorySink();

    Scene(Time time, ProviderOptions options) {
      this.time = time;
      this.store = Store.inMemory(time);
      this.provider = new Provider(options, time);
    }

    CollectionResult collect(CollectionRequest request) throws Exception {
      try (ProviderGates gates = new ProviderGates(store, time)) {
        return new Collector(request, sink, store, gates, new ProviderTransport(provider), time)
            .run();
      }
    }

    List<StreamGap> gaps() {
      return store.read(transaction -> StreamGaps.of(transaction, "mine"));
    }

    Cooldown cooldown() {
      return store.read(transaction -> Lanes.of(transaction, "simulated")).cooldown();
    }
  }

  private static void play(ProviderOptions options, Story story) {
    SimulatedTime.run(1, time -> story.happen(new Scene(time, options)));
  }

  private static CollectionRequest all(Items items) {
    return CollectionRequest.of("mine", items);
  }

  private static List<String> everyId() {
    return IntStream.rangeClosed(1, ITEMS).mapToObj(String::valueOf).toList();
  }

  @Test
  void without_an_envelope_a_run_collects_everything() {
    play(
        OPTIONS,
        scene -> {
          CollectionResult result = scene.collect(all(Items.of(100)));
          assertThat(result.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.sink.keys("items")).containsExactlyElementsOf(everyId());
          assertThat(result.progress().slices()).isEqualTo(3);
          assertThat(result.progress().requests()).isEqualTo(3);
          assertThat(scene.gaps()).isEmpty();
        });
  }

  @Test
  void a_request_cap_defers_the_rest_as_planned_and_the_next_runs_go_on() {
    play(
        OPTIONS,
        scene -> {
          CollectionRequest two =
              all(Items.of(50)).withEnvelope(Envelope.UNBOUNDED.withRequestCap(2));
          CollectionResult first = scene.collect(two);
          assertThat(first.outcome())
              .isInstanceOfSatisfying(
                  Outcome.Deferred.class,
                  end -> assertThat(end.reason()).isEqualTo(Reason.Planned.REQUEST_CAP));
          assertThat(scene.sink.keys("items")).hasSize(100);
          assertThat(scene.gaps())
              .singleElement()
              .satisfies(
                  gap -> {
                    assertThat(gap.track()).isEqualTo(TRACK);
                    assertThat(gap.reason()).isEqualTo(Reason.Planned.REQUEST_CAP);
                    assertThat(gap.cursor()).isEqualTo(first.tracks().getFirst().cursor());
                    assertThat(gap.cursor()).isPresent();
                  });
          assertThat(scene.collect(two).outcome()).isInstanceOf(Outcome.Deferred.class);
          assertThat(scene.collect(two).outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.sink.keys("items")).containsExactlyElementsOf(everyId());
          assertThat(scene.gaps()).isEmpty();
        });
  }

  @Test
  void a_wall_clock_defers_the_rest_as_planned_whatever_the_provider_was_doing() {
    play(
        OPTIONS.withService(ServiceOptions.DEFAULTS.withLatency(Duration.ofSeconds(2), 0)),
        scene -> {
          CollectionResult result =
              scene.collect(
                  all(Items.of(50))
                      .withEnvelope(Envelope.UNBOUNDED.withWallClock(Duration.ofSeconds(5))));
          assertThat(result.outcome())
              .isInstanceOfSatisfying(
                  Outcome.Deferred.class,
                  end -> assertThat(end.reason()).isEqualTo(Reason.Planned.WALL_CLOCK));
          assertThat(scene.sink.keys("items")).hasSize(150);
          assertThat(scene.gaps()).hasSize(1);
        });
  }

  @Test
  void a_turn_that_comes_only_after_the_wall_clock_is_told_and_not_waited_for() {
    play(
        OPTIONS,
        scene -> {
          LaneOptions slow = LaneOptions.of(now -> new FixedRatePolicy(0.1, 1, 10, now));
          CollectionResult result =
              scene.collect(
                  all(Items.of(50).paced(slow))
                      .withEnvelope(Envelope.UNBOUNDED.withWallClock(Duration.ofSeconds(5))));
          assertThat(result.outcome())
              .isInstanceOfSatisfying(
                  Outcome.Deferred.class,
                  end -> {
                    assertThat(end.reason()).isEqualTo(Reason.Planned.WALL_CLOCK);
                    assertThat(end.detail())
                        .startsWith("the next request may start on lane simulated in ")
                        .endsWith("by another run, then or with more time");
                  });
          assertThat(scene.time.nanos()).isLessThan(Duration.ofSeconds(5).toNanos());
        });
  }

  private static void runToItsEnd(Collector collector) {
    try {
      CollectionResult unused = collector.run();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts it", e);
    }
  }

  @Test
  void a_provider_that_does_not_answer_is_seen_while_it_is_waited_for() {
    play(
        OPTIONS.withService(ServiceOptions.DEFAULTS.withLatency(Duration.ofSeconds(20), 0)),
        scene -> {
          try (ProviderGates gates = new ProviderGates(scene.store, scene.time)) {
            Collector collector =
                new Collector(
                    all(Items.of(ITEMS)),
                    scene.sink,
                    scene.store,
                    gates,
                    new ProviderTransport(scene.provider),
                    scene.time);
            assertThat(collector.reason()).isEmpty();
            Time.Task run = scene.time.start("run", () -> runToItsEnd(collector));
            scene.time.sleep(Duration.ofSeconds(12));
            assertThat(collector.reason().orElseThrow())
                .containsPattern("waiting 1[12] s for an answer");
            run.join();
            assertThat(collector.reason().orElse("")).doesNotContain("for an answer");
          }
        });
  }

  @Test
  void an_empty_retry_budget_defers_instead_of_spinning() {
    play(
        OPTIONS.withService(
            ServiceOptions.DEFAULTS
                .withLimit(LimitOptions.parse("0/1m"))
                .withSignal(Signal.BARE_503)),
        scene -> {
          CollectionResult result =
              scene.collect(all(Items.of(50)).withEnvelope(Envelope.UNBOUNDED.withRequestCap(10)));
          assertThat(result.outcome())
              .isInstanceOfSatisfying(
                  Outcome.Deferred.class,
                  end -> assertThat(end.reason()).isEqualTo(Reason.Planned.RETRY_BUDGET));
          assertThat(result.progress().requests()).isLessThanOrEqualTo(4);
          assertThat(scene.cooldown()).as("no plan arms it").isEqualTo(Cooldown.NONE);
        });
  }

  @Test
  void a_bookmark_never_passes_what_is_not_durable() {
    play(
        OPTIONS,
        scene -> {
          CollectionRequest one =
              all(Items.of(100)).withEnvelope(Envelope.UNBOUNDED.withRequestCap(1));
          CollectionResult first = scene.collect(one);
          scene.sink.full(true);
          CollectionResult second = scene.collect(one);
          assertThat(second.outcome())
              .isInstanceOfSatisfying(
                  Outcome.Failed.class,
                  end -> assertThat(end.reason()).isEqualTo(Reason.Failure.STORAGE));
          assertThat(second.tracks().getFirst().cursor())
              .isEqualTo(first.tracks().getFirst().cursor());
          scene.sink.full(false);
          assertThat(scene.collect(all(Items.of(100))).outcome())
              .isEqualTo(new Outcome.Completed());
          assertThat(scene.sink.keys("items")).containsExactlyElementsOf(everyId());
        });
  }

  @Test
  void details_that_cannot_be_had_are_noted_with_the_slice_and_drained_later() {
    play(
        OPTIONS,
        scene -> {
          Items items = Items.of(100).withComments();
          CollectionResult first =
              scene.collect(all(items).withEnvelope(Envelope.UNBOUNDED.withRequestCap(31)));
          assertThat(first.outcome()).isInstanceOf(Outcome.Deferred.class);
          assertThat(first.openGaps()).isEqualTo(70);
          assertThat(scene.sink.keys("items")).hasSize(100);
          scene.time.sleep(Duration.ofMinutes(1));
          CollectionResult second = scene.collect(all(items));
          assertThat(second.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(second.progress().recovered()).isEqualTo(70);
          assertThat(scene.sink.keys("items")).containsExactlyElementsOf(everyId());
          assertThat(scene.sink.keys("comments")).isNotEmpty().doesNotHaveDuplicates();
        });
  }

  @Test
  void more_gaps_than_a_page_holds_are_recovered_in_one_run() {
    play(
        OPTIONS,
        scene -> {
          Items items = Items.of(230).withComments();
          CollectionResult first =
              scene.collect(all(items).withEnvelope(Envelope.UNBOUNDED.withRequestCap(1)));
          assertThat(first.openGaps()).isEqualTo(ITEMS);
          assertThat((long) ITEMS * Items.REMEMBERED).isGreaterThan(2L * LeasedGaps.PAGE_BYTES);
          scene.time.sleep(Duration.ofMinutes(1));
          CollectionResult second = scene.collect(all(items));
          assertThat(second.progress().recovered()).isEqualTo(ITEMS);
          assertThat(second.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(second.openGaps()).isZero();
        });
  }

  @Test
  void catch_up_reads_up_to_the_horizon_and_leaves_the_steady_bookmark_alone() {
    play(
        OPTIONS,
        scene -> {
          Numbers numbers = new Numbers(10);
          CollectionRequest request = CollectionRequest.of("mine", numbers);
          CollectionResult first = scene.collect(request);
          assertThat(first.outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.sink.keys("numbers"))
              .as("everything, once, steady work first")
              .containsExactly("10", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
          assertThat(cursor(scene, Mode.STEADY)).contains("11");
          assertThat(cursor(scene, Mode.CATCH_UP)).contains("10");
          numbers.grow();
          assertThat(scene.collect(request).tracks())
              .as("catch-up is finished for good, at the horizon of the first run")
              .extracting(track -> track.track().mode())
              .containsExactly(Mode.STEADY);
          assertThat(scene.sink.keys("numbers")).contains("11").doesNotHaveDuplicates();
          assertThat(cursor(scene, Mode.CATCH_UP)).contains("10");
        });
  }

  private static Optional<String> cursor(Scene scene, Mode mode) {
    return scene
        .store
        .read(transaction -> Bookmarks.find(transaction, new Track("mine", "numbers", "", mode)))
        .flatMap(Bookmark::cursor);
  }

  @Test
  void another_run_at_the_same_time_is_neither_a_failure_nor_a_gap() {
    play(
        OPTIONS.withService(ServiceOptions.DEFAULTS.withLatency(Duration.ofSeconds(1), 0)),
        scene -> {
          Time.Task first =
              scene.time.start(
                  "first",
                  () -> {
                    try {
                      assertThat(scene.collect(all(Items.of(50))).outcome())
                          .isEqualTo(new Outcome.Completed());
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                  });
          scene.time.sleep(Duration.ofMillis(1500));
          CollectionResult second = scene.collect(all(Items.of(50)));
          assertThat(second.outcome()).isEqualTo(new Outcome.AlreadyRunning());
          assertThat(second.progress().requests()).isZero();
          assertThat(scene.gaps()).isEmpty();
          first.join();
          assertThat(scene.sink.keys("items")).containsExactlyElementsOf(everyId());
        });
  }

  @Test
  void a_run_that_has_all_tracks_but_one_completes_and_says_which_another_run_is_at() {
    play(
        OPTIONS,
        scene -> {
          Track old = new Track("mine", "numbers", "", Mode.CATCH_UP);
          try (Lease another =
              ((Claim.Taken) new Leases(scene.store, scene.time).take(old.leaseName())).lease()) {
            CollectionResult result = scene.collect(CollectionRequest.of("mine", new Numbers(3)));
            assertThat(result.outcome()).as(another.name()).isEqualTo(new Outcome.Completed());
            assertThat(result.elsewhere()).containsExactly(old);
          }
          assertThat(scene.collect(CollectionRequest.of("mine", new Numbers(3))).elsewhere())
              .isEmpty();
        });
  }

  @Test
  void who_is_cancelled_gives_the_slice_up_and_goes_on_next_time() {
    play(
        OPTIONS.withService(ServiceOptions.DEFAULTS.withLatency(Duration.ofSeconds(1), 0)),
        scene -> {
          ProviderGates gates = new ProviderGates(scene.store, scene.time);
          Collector collector =
              new Collector(
                  all(Items.of(50)),
                  scene.sink,
                  scene.store,
                  gates,
                  new ProviderTransport(scene.provider),
                  scene.time);
          Time.Task cancel =
              scene.time.start(
                  "cancel",
                  () -> {
                    try {
                      scene.time.sleep(Duration.ofMillis(1500));
                      collector.cancel(Duration.ofSeconds(10));
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  });
          assertThat(collector.run().outcome()).isEqualTo(new Outcome.Cancelled());
          cancel.join();
          assertThat(scene.sink.keys("items")).hasSize(100);
          assertThat(scene.gaps())
              .singleElement()
              .satisfies(
                  gap -> {
                    assertThat(gap.reason()).isEqualTo(Reason.Planned.CANCELLED);
                    assertThat(gap.cursor()).isPresent();
                  });
          assertThat(scene.collect(all(Items.of(50))).outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.gaps()).isEmpty();
          assertThat(scene.sink.keys("items")).containsExactlyElementsOf(everyId());
          assertThat(Optional.of(gates)).isPresent();
        });
  }
}

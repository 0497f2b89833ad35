package dev.sluice.collect.run;

import static dev.sluice.collect.run.FivePages.BY_NUMBER;
import static dev.sluice.collect.run.FivePages.answer;
import static dev.sluice.collect.run.FivePages.assertFailed;
import static dev.sluice.collect.run.FivePages.everyItem;
import static dev.sluice.collect.run.FivePages.play;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.runs.bookmark.Bookmark;
import dev.sluice.runs.bookmark.Bookmarks;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.gap.StreamGap;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A slice that a whole run cannot read: halved if it can be, told to people if not. */
class SliceTooLargeTest {
  private static final Envelope THREE = Envelope.UNBOUNDED.withRequestCap(3);

  private static CollectionResult collect(FivePages scene, CollectionRequest request)
      throws Exception {
    return scene.collect(request, scene.sink, scene.store, scene::send);
  }

  private static void assertDeferred(CollectionResult result, Reason.Deferral reason) {
    assertThat(result.outcome())
        .isInstanceOfSatisfying(
            Outcome.Deferred.class, end -> assertThat(end.reason()).isEqualTo(reason));
  }

  @Test
  void a_slice_that_alone_exceeds_the_request_cap_and_cannot_shrink_fails_its_stream() {
    play(
        BY_NUMBER,
        scene -> {
          CollectionResult result = collect(scene, scene.request().withEnvelope(THREE));
          assertFailed(result, Reason.Failure.SLICE_TOO_LARGE);
          assertThat(scene.asked).hasSize(3);
          assertThat(scene.bookmark()).isEmpty();
          assertThat(scene.isWhole()).isFalse();
          assertThat(scene.sink.keys("items")).isEmpty();
          assertThat(scene.gaps())
              .extracting(StreamGap::reason)
              .containsExactly(Reason.Failure.SLICE_TOO_LARGE);
          assertThat(collect(scene, scene.request()).outcome())
              .as("with more to spend")
              .isEqualTo(new Outcome.Completed());
          assertThat(scene.sink.keys("items")).containsExactlyElementsOf(everyItem());
          assertThat(scene.gaps()).isEmpty();
        });
  }

  @Test
  void so_does_one_that_alone_exceeds_the_wall_clock_of_a_run_that_nobody_throttles() {
    play(
        BY_NUMBER,
        scene -> {
          CollectionRequest request =
              scene
                  .request()
                  .withEnvelope(Envelope.UNBOUNDED.withWallClock(Duration.ofSeconds(40)));
          CollectionResult result =
              scene.collect(request, scene.sink, scene.store, tenSeconds(scene));
          assertFailed(result, Reason.Failure.SLICE_TOO_LARGE);
          assertThat(scene.bookmark()).isEmpty();
          assertThat(scene.sink.keys("items")).isEmpty();
        });
  }

  /** A provider that takes its time for each page. */
  private static Transport tenSeconds(FivePages scene) {
    return request -> {
      scene.time.sleep(Duration.ofSeconds(10));
      return scene.send(request);
    };
  }

  @Test
  void a_window_that_a_run_cannot_read_is_halved_for_the_next_and_later_runs_finish() {
    SimulatedTime.run(
        1,
        time -> {
          Store store = Store.inMemory(time);
          MemorySink sink = new MemorySink();
          Transport provider =
              request ->
                  new WebAnswer(200, HttpHeaders.of(Map.of(), (name, value) -> true), new byte[0]);
          CollectionRequest five =
              CollectionRequest.of("mine", new Windows(16, 8))
                  .withEnvelope(Envelope.UNBOUNDED.withRequestCap(5));
          Track track = new Track("mine", "days", "", Mode.STEADY);
          int runs = 0;
          Outcome outcome;
          do {
            try (ProviderGates gates = new ProviderGates(store, time)) {
              outcome = new Collector(five, sink, store, gates, provider, time).run().outcome();
            }
            Bookmark bookmark =
                store.read(transaction -> Bookmarks.find(transaction, track)).orElseThrow();
            if (outcome instanceof Outcome.Deferred planned) {
              assertThat(planned.reason()).isEqualTo(Reason.Planned.REQUEST_CAP);
              assertThat(bookmark.shrink()).as("halved once, and no further").isEqualTo(1);
              assertThat(sink.keys("days")).as("four more in each run").hasSize(4 * runs);
            }
            time.sleep(Duration.ofMinutes(1));
          } while (++runs < 10 && outcome instanceof Outcome.Deferred);
          assertThat(outcome).isEqualTo(new Outcome.Completed());
          assertThat(runs).isEqualTo(5);
          assertThat(sink.keys("days"))
              .containsExactlyElementsOf(IntStream.range(0, 16).mapToObj(String::valueOf).toList());
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"object", "route"})
  void time_that_was_spent_waiting_for_the_throttles_of_one_thing_does_not_make_a_slice_too_large(
      String reach) {
    play(
        BY_NUMBER,
        scene -> {
          CollectionRequest request =
              scene.request(
                  "pacing: {answers: [{when: \"status == 429\", mean: throttled, reach: %s}]}"
                      .formatted(reach));
          scene.trouble(
              refused -> {
                scene.mend();
                return answer(429, "{}", "Retry-After", "20");
              });
          Transport slow = tenSeconds(scene);
          // Enough for five pages, and not for five pages and a wait.
          Envelope minute = Envelope.UNBOUNDED.withWallClock(Duration.ofSeconds(60));
          CollectionResult result =
              scene.collect(request.withEnvelope(minute), scene.sink, scene.store, slow);
          assertDeferred(result, Reason.Planned.WALL_CLOCK);
          assertThat(scene.gaps())
              .extracting(StreamGap::reason)
              .containsExactly(Reason.Planned.WALL_CLOCK);
          assertThat(scene.sink.keys("items")).isEmpty();
          scene.time.sleep(Duration.ofMinutes(1));
          assertThat(
                  scene
                      .collect(request.withEnvelope(minute), scene.sink, scene.store, slow)
                      .outcome())
              .isEqualTo(new Outcome.Completed());
          assertThat(scene.sink.keys("items")).containsExactlyElementsOf(everyItem());
        });
  }
}

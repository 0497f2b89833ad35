package dev.sluice.collect.run;

import static dev.sluice.collect.run.ThrottleScene.ALL;
import static dev.sluice.collect.run.ThrottleScene.COMMENTS_OF_3;
import static dev.sluice.collect.run.ThrottleScene.play;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.circuit.CircuitState;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.gap.DetailGap;
import dev.sluice.runs.pressure.Cooldown;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A throttle about one request lets that one alone wait, be it for a record's details or for a
 * list. Seen by the providers' own log.
 */
class ThrottleAloneTest {
  private static void assertDeferred(CollectionResult result, Reason.Deferral reason) {
    assertThat(result.outcome())
        .isInstanceOfSatisfying(
            Outcome.Deferred.class, end -> assertThat(end.reason()).isEqualTo(reason));
  }

  @Test
  void a_throttle_about_one_record_lets_that_record_alone_wait() {
    play(
        scene -> {
          Duration wait = Duration.ofSeconds(60);
          scene.refuse(COMMENTS_OF_3, "object", wait, 1);
          CollectionRequest request = scene.request("mine");
          try (ProviderGates gates = scene.process()) {
            Collector collector = scene.collector(request.withStreams(Set.of("items")), gates);
            assertThat(collector.run().outcome()).isEqualTo(new Outcome.Completed());
            assertThat(collector.lane())
                .hasValueSatisfying(
                    lane -> {
                      assertThat(lane.throttleEvents()).isZero();
                      assertThat(lane.circuit()).isEqualTo(CircuitState.CLOSED);
                      assertThat(lane.rate()).isGreaterThanOrEqualTo(20);
                    });
          }
          List<Instant> asked = scene.asked(COMMENTS_OF_3);
          assertThat(asked).hasSize(2);
          Instant again = scene.told.getFirst().plus(wait);
          assertThat(asked.getLast()).isBetween(again, again.plusSeconds(1));
          assertThat(scene.meanwhile(wait)).as("the others go on").hasSizeGreaterThan(5);
          assertThat(scene.sink.keys("comments")).containsExactlyInAnyOrderElementsOf(ALL);
          assertThat(scene.lane(request).held(scene.time.instant())).isZero();
          assertThat(scene.lane(request).holdUntil()).isEqualTo(Instant.EPOCH);
        });
  }

  @Test
  void a_record_that_has_to_wait_for_longer_than_the_run_may_is_a_gap_until_then() {
    play(
        scene -> {
          scene.refuse(COMMENTS_OF_3, "object", Duration.ofHours(1), 1);
          CollectionRequest request = scene.request("mine");
          CollectionResult first = scene.collect(request);
          assertThat(first.outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          Instant until = scene.told.getFirst().plus(Duration.ofHours(1));
          assertThat(scene.missing())
              .singleElement()
              .satisfies(
                  gap -> {
                    assertThat(gap.recordKey()).isEqualTo("3");
                    assertThat(gap.due()).isBetween(until, until.plusSeconds(1));
                    assertThat(gap.reason()).isEqualTo(Reason.Pressure.RATE_LIMITED.wireName());
                  });
          // Another process sees the record again, and still it is too early.
          scene.time.sleep(Duration.ofMinutes(30));
          assertThat(scene.collect(request).outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          assertThat(scene.asked(COMMENTS_OF_3)).hasSize(1);
          assertThat(scene.asked("/items/4/comments")).hasSize(2);
          assertThat(scene.missing())
              .singleElement()
              .satisfies(gap -> assertThat(gap.due()).isBetween(until, until.plusSeconds(1)));
          scene.sleepUntil(until.plusSeconds(2));
          assertThat(scene.collect(request).outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.asked(COMMENTS_OF_3)).hasSizeGreaterThanOrEqualTo(2);
          assertThat(scene.asked(COMMENTS_OF_3).get(1)).isAfterOrEqualTo(until);
          assertThat(scene.sink.keys("comments")).contains("3");
        });
  }

  @Test
  void a_record_that_is_throttled_again_and_again_becomes_a_gap_and_no_pressure() {
    play(
        scene -> {
          scene.refuse(COMMENTS_OF_3, "object", Duration.ofSeconds(10), 100);
          CollectionRequest request = scene.request("mine");
          assertThat(scene.collect(request).outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          List<Instant> asked = scene.asked(COMMENTS_OF_3);
          assertThat(asked).hasSize(4);
          for (int i = 1; i < asked.size(); i++) {
            assertThat(asked.get(i)).isAfterOrEqualTo(scene.told.get(i - 1).plusSeconds(10));
          }
          assertThat(scene.missing()).extracting(DetailGap::recordKey).containsExactly("3");
          assertThat(scene.lane(request).cooldown()).isEqualTo(Cooldown.NONE);
        });
  }

  @Test
  void a_throttle_about_one_record_that_tells_no_wait_doubles_the_declared_one() {
    play(
        scene -> {
          scene.refuseWithoutAWait(COMMENTS_OF_3, "object", 2);
          assertThat(scene.collect(scene.request("mine")).outcome())
              .isEqualTo(new Outcome.Completed());
          List<Instant> asked = scene.asked(COMMENTS_OF_3);
          assertThat(asked).hasSize(3);
          assertThat(Duration.between(scene.told.get(0), asked.get(1))).hasSeconds(7);
          assertThat(Duration.between(scene.told.get(1), asked.get(2))).hasSeconds(14);
        });
  }

  @Test
  void a_list_that_is_throttled_alone_waits_and_goes_on() {
    play(
        scene -> {
          scene.refuse("/items", "object", Duration.ofSeconds(60), 1);
          assertThat(scene.collect(scene.request("mine")).outcome())
              .isEqualTo(new Outcome.Completed());
          Instant again = scene.told.getFirst().plusSeconds(60);
          assertThat(scene.asked("/items").getLast()).isBetween(again, again.plusSeconds(1));
          assertThat(scene.sink.keys("items")).containsExactlyElementsOf(ALL);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"object", "route"})
  void a_list_that_has_to_wait_for_longer_than_the_run_may_is_deferred_and_the_others_go_on(
      String about) {
    play(
        scene -> {
          scene.refuse("/items", about, Duration.ofHours(1), 1);
          CollectionRequest request = scene.request("mine");
          assertDeferred(scene.collect(request), Reason.Pressure.RATE_LIMITED);
          Instant until = scene.told.getFirst().plus(Duration.ofHours(1));
          assertThat(scene.left())
              .singleElement()
              .satisfies(
                  gap -> {
                    assertThat(gap.track().stream()).isEqualTo("items");
                    assertThat(gap.due()).isBetween(until, until.plusSeconds(1));
                  });
          assertThat(scene.sink.keys("lines")).containsExactlyInAnyOrderElementsOf(ALL);
          assertThat(scene.lane(request).held(scene.time.instant())).isZero();
          scene.time.sleep(Duration.ofMinutes(30));
          assertDeferred(scene.collect(request), Reason.Pressure.RATE_LIMITED);
          assertThat(scene.asked("/items")).as("by another process, too early").hasSize(1);
          try (ProviderGates gates = scene.process()) {
            Outcome others =
                new Collector(
                        scene.request("yours"),
                        new MemorySink(),
                        scene.store,
                        gates,
                        scene,
                        scene.time)
                    .run()
                    .outcome();
            assertThat(others instanceof Outcome.Completed)
                .as("another collection, whose request is another one: %s", others)
                .isEqualTo(about.equals("object"));
          }
          scene.sleepUntil(until.plusSeconds(2));
          assertThat(scene.collect(request).outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.left()).isEmpty();
          assertThat(scene.sink.keys("items")).containsExactlyElementsOf(ALL);
        });
  }

  @Test
  void whoever_waits_alone_is_woken_when_the_run_is_cancelled_and_sends_nothing() {
    play(
        scene -> {
          scene.refuse(COMMENTS_OF_3, "object", Duration.ofSeconds(100), 1);
          try (ProviderGates gates = scene.process()) {
            Collector collector = scene.collector(scene.request("mine"), gates);
            Time.Task cancelling =
                scene.time.start(
                    "cancel",
                    () -> {
                      try {
                        scene.time.sleep(Duration.ofSeconds(30));
                        collector.cancel(Duration.ofSeconds(10));
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    });
            Instant begun = scene.time.instant();
            assertThat(collector.run().outcome()).isEqualTo(new Outcome.Cancelled());
            assertThat(scene.time.instant()).isBefore(begun.plusSeconds(31));
            assertThat(scene.asked(COMMENTS_OF_3)).hasSize(1);
            cancelling.join();
          }
        });
  }

  @Test
  void a_request_that_waits_alone_is_counted_each_time_that_it_is_sent() {
    play(
        scene -> {
          scene.refuse("/items", "object", Duration.ofSeconds(5), 2);
          CollectionRequest request =
              scene.request("mine").withEnvelope(Envelope.UNBOUNDED.withRequestCap(2));
          CollectionResult result = scene.collect(request);
          assertDeferred(result, Reason.Planned.REQUEST_CAP);
          assertThat(scene.log).hasSize(2);
          assertThat(result.progress().requests()).isEqualTo(2);
        });
  }
}

package dev.sluice.collect.run;

import static dev.sluice.collect.run.ThrottleScene.ALL;
import static dev.sluice.collect.run.ThrottleScene.COMMENTS_OF_3;
import static dev.sluice.collect.run.ThrottleScene.ITEMS;
import static dev.sluice.collect.run.ThrottleScene.play;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.Provider;
import dev.sluice.collect.run.ThrottleScene.Logged;
import dev.sluice.gate.Gate;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.pressure.LaneRecord;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.run.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A throttle keeps away whom it reaches, as long as it says, and nobody else: a stream, a lane, or
 * whoever comes from here. Seen by the providers' own log.
 */
class ThrottleReachTest {
  private static Predicate<Logged> of(String stream) {
    return each -> each.path().endsWith("/" + stream);
  }

  @Test
  void a_throttle_about_a_route_lets_that_stream_alone_wait_whoever_collects_it() {
    play(
        scene -> {
          Duration wait = Duration.ofSeconds(90);
          scene.refuse(COMMENTS_OF_3, "route", wait, 1);
          Set<String> items = Set.of("items");
          try (ProviderGates gates = scene.process()) {
            scene.finish(
                scene.start(scene.request("mine").withStreams(items), gates, Duration.ZERO),
                scene.start(
                    scene.request("yours").withStreams(items), gates, Duration.ofSeconds(10)),
                scene.start(
                    scene.request("others").withStreams(Set.of("orders")),
                    gates,
                    Duration.ofSeconds(20)));
          }
          // A request that was under way when the answer came does not count.
          Instant from = scene.told.getFirst();
          assertThat(scene.meanwhile(wait))
              .as("of all that was asked for after %s", from)
              .noneMatch(of("comments"))
              .anyMatch(each -> each.path().equals("/items"));
          assertThat(scene.meanwhile(wait).stream().filter(of("lines")))
              .as("successes meanwhile lift nothing")
              .hasSize(ITEMS);
          assertThat(scene.log.stream().filter(each -> !each.at().isBefore(from.plus(wait))))
              .as("nobody is left out afterwards")
              .anyMatch(of("comments"))
              .allSatisfy(each -> assertThat(each.at()).isBefore(from.plus(wait).plusSeconds(5)));
          assertThat(scene.sink.keys("comments")).hasSize(2 * ITEMS);
        });
  }

  @Test
  void details_of_a_stream_that_has_to_wait_for_longer_than_the_run_may_are_gaps_until_then() {
    play(
        scene -> {
          scene.refuse("/items/1/comments", "route", Duration.ofHours(1), 1);
          CollectionRequest request = scene.request("mine");
          assertThat(scene.collect(request).outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          assertThat(scene.meanwhile(Duration.ofHours(1))).noneMatch(of("comments"));
          Instant until = scene.told.getFirst().plus(Duration.ofHours(1));
          assertThat(scene.missing())
              .hasSizeGreaterThan(5)
              .allSatisfy(gap -> assertThat(gap.due()).isBetween(until, until.plusSeconds(1)));
          assertThat(scene.sink.keys("lines")).containsExactlyInAnyOrderElementsOf(ALL);
          // Another process, and still too early: the list is read, its comments are not.
          scene.time.sleep(Duration.ofMinutes(30));
          assertThat(scene.collect(request).outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          assertThat(scene.meanwhile(Duration.ofHours(1))).noneMatch(of("comments"));
          scene.time.sleep(Duration.ofMinutes(31));
          assertThat(scene.collect(request).outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.sink.keys("comments")).containsAll(ALL);
        });
  }

  @Test
  void a_process_that_is_started_again_keeps_the_hold_of_a_route_and_asks_for_the_rest() {
    play(
        scene -> {
          Duration wait = Duration.ofSeconds(90);
          scene.refuse(COMMENTS_OF_3, "route", wait, 1);
          CollectionRequest request = scene.request("mine");
          Time.Task first =
              scene.time.start(
                  "a process that waits",
                  () -> {
                    try {
                      CollectionResult unused = scene.collect(request);
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                  });
          scene.time.sleep(Duration.ofSeconds(10));
          first.interrupt();
          first.join();
          Instant until = scene.told.getFirst().plus(wait);
          String lane = request.connector().provider().lane();
          assertThat(scene.lane(request).held(scene.time.instant())).isZero();
          List<LaneRecord> parts = scene.store.read(t -> Lanes.heldParts(t, lane));
          assertThat(parts)
              .as("what the status shows")
              .singleElement()
              .satisfies(
                  each -> {
                    assertThat(each.name()).isEqualTo(lane + " route comments");
                    assertThat(each.holdUntil()).isAfterOrEqualTo(until);
                  });
          Instant restarted = scene.time.instant();
          assertThat(scene.collect(request).outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.meanwhile(wait))
              .noneMatch(of("comments"))
              .anyMatch(each -> each.path().equals("/items") && !each.at().isBefore(restarted));
          assertThat(scene.sink.keys("comments")).containsExactlyInAnyOrderElementsOf(ALL);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"pool", "credential", "account", "provider", "whatever it may be"})
  void a_throttle_about_anything_wider_or_unknown_holds_the_whole_lane(String about) {
    play(
        scene -> {
          Duration wait = Duration.ofSeconds(60);
          scene.refuse(COMMENTS_OF_3, about, wait, 1);
          CollectionRequest request = scene.request("mine");
          CollectionRequest elsewhere = scene.request("elsewhere", "another.example");
          try (ProviderGates gates = scene.process()) {
            scene.finish(
                scene.start(request, gates, Duration.ZERO),
                scene.start(scene.request("yours"), gates, Duration.ofSeconds(10)),
                scene.start(elsewhere, gates, Duration.ofSeconds(10)));
          }
          assertThat(scene.meanwhile(wait))
              .isNotEmpty()
              .allMatch(each -> each.host().equals("another.example"));
          assertThat(scene.lane(request).holdUntil())
              .isAfterOrEqualTo(scene.told.getFirst().plus(wait));
        });
  }

  @Test
  void a_throttle_about_the_address_holds_the_lanes_of_every_provider_in_every_process() {
    play(
        scene -> {
          Duration wait = Duration.ofSeconds(100);
          CollectionRequest known = scene.request("known", "known.example");
          assertThat(scene.collect(known).outcome()).isEqualTo(new Outcome.Completed());
          scene.refuse(COMMENTS_OF_3, "address", wait, 1);
          try (ProviderGates gates = scene.process();
              ProviderGates others = scene.process()) {
            CollectionRequest open = scene.request("open", "open.example");
            scene.finish(
                scene.start(open.withStreams(Set.of("orders")), gates, Duration.ZERO),
                scene.start(scene.request("mine"), gates, Duration.ofSeconds(3)),
                scene.start(scene.request("again", "open.example"), gates, Duration.ofSeconds(10)),
                scene.start(scene.request("new", "new.example"), gates, Duration.ofSeconds(10)),
                scene.start(
                    scene.request("known again", "known.example"), others, Duration.ofSeconds(10)));
          }
          assertThat(scene.meanwhile(wait)).isEmpty();
          Instant until = scene.told.getFirst().plus(wait);
          assertThat(scene.log.stream().filter(each -> !each.at().isBefore(until)))
              .extracting(Logged::host)
              .contains("shop.example", "open.example", "new.example", "known.example");
        });
  }

  @Test
  void lanes_of_this_process_know_of_the_address_before_anybody_looks_into_the_store() {
    play(
        scene -> {
          Provider open = scene.shop("open.example").provider();
          Provider later = scene.shop("later.example").provider();
          try (ProviderGates gates = scene.process()) {
            Gate gate = gates.gate(open);
            gates.holdAll(Duration.ofSeconds(100));
            scene.time.sleep(Duration.ofSeconds(99));
            assertThat(gate.throttleTracker().isThrottled(open.lane())).isTrue();
            assertThat(gates.gate(later).throttleTracker().isThrottled(later.lane())).isTrue();
            scene.time.sleep(Duration.ofSeconds(1));
            assertThat(gate.throttleTracker().isThrottled(open.lane())).isFalse();
            assertThat(gates.gate(later).throttleTracker().isThrottled(later.lane())).isFalse();
          }
        });
  }
}

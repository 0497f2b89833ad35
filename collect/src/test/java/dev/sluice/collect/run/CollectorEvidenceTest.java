package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.Connector;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.evidence.Evidence;
import dev.sluice.runs.evidence.Evidence.Kind;
import dev.sluice.runs.evidence.EvidenceLog;
import dev.sluice.runs.gap.DetailGap;
import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a run leaves as evidence of what it gave up, missed and made good. */
class CollectorEvidenceTest {
  private static final String LAST_PAGE = "{\"items\":[],\"next_cursor\":null}";

  /** A provider that answers with these statuses, and then well; and the runs that ask it. */
  private static final class Scene implements Transport {
    final Time time;
    final Store store;
    final MemorySink sink = new MemorySink();
    final Deque<Integer> statuses = new ArrayDeque<>();
    boolean refuses;

    Scene(Time time) {
      this.time = time;
      this.store = Store.inMemory(time);
    }

    @Override
    public WebAnswer send(WebRequest request) throws InterruptedException {
      time.sleep(Duration.ofMillis(100));
      int status = refuses ? 422 : statuses.isEmpty() ? 200 : statuses.removeFirst();
      Map<String, List<String>> headers =
          status == 429 ? Map.of("Retry-After", List.of("600")) : Map.of();
      return new WebAnswer(
          status,
          HttpHeaders.of(headers, (name, value) -> true),
          LAST_PAGE.getBytes(StandardCharsets.UTF_8));
    }

    /** What one more run leaves. */
    List<Evidence> collect(Connector connector) throws Exception {
      return collect(CollectionRequest.of("mine", connector));
    }

    List<Evidence> collect(CollectionRequest request) throws Exception {
      try (ProviderGates gates = new ProviderGates(store, time)) {
        CollectionResult unused = new Collector(request, sink, store, gates, this, time).run();
      }
      long run = new Runs(store, time).last(Collector.KIND, "mine").orElseThrow().id();
      return store.read(transaction -> EvidenceLog.latest(transaction, run, 99));
    }

    DetailGap.State onlyGap() {
      return store
          .read(transaction -> DetailGaps.list(transaction, "mine", Optional.empty(), 99))
          .getFirst()
          .state();
    }
  }

  private interface Story {
    void happen(Scene scene) throws Exception;
  }

  private static void play(Story story) {
    SimulatedTime.run(1, time -> story.happen(new Scene(time)));
  }

  private static Map<String, String> only(List<Evidence> all, Kind kind) {
    List<Evidence> some = all.stream().filter(each -> each.kind() == kind).toList();
    assertThat(some).as("%s in %s", kind, all).hasSize(1);
    return some.getFirst().facts();
  }

  @Test
  void a_slice_that_was_given_up_is_evidence_and_so_is_that_it_was_made_good() {
    play(
        scene -> {
          scene.statuses.add(429);
          List<Evidence> first = scene.collect(Items.of(10));
          assertThat(only(first, Kind.SLICE_GIVEN_UP))
              .containsEntry("reason", "rate_limited")
              .containsEntry("stream", "items")
              .containsEntry("mode", "steady")
              .containsEntry("requests", "1");
          assertThat(only(first, Kind.GAP_NOTED)).containsEntry("reason", "rate_limited");
          assertThat(only(first, Kind.COOLDOWN_ARMED)).containsEntry("consecutive", "1");

          scene.time.sleep(Duration.ofHours(1));
          List<Evidence> second = scene.collect(Items.of(10));
          assertThat(only(second, Kind.COOLDOWN_CLEARED)).containsEntry("consecutive", "1");
          assertThat(only(second, Kind.GAP_CLOSED))
              .containsEntry("stream", "items")
              .containsEntry("mode", "steady");

          scene.time.sleep(Duration.ofHours(1));
          assertThat(scene.collect(Items.of(10))).as("all is well").isEmpty();
        });
  }

  private static List<String> circuitMoves(List<Evidence> all) {
    return all.stream()
        .filter(each -> each.kind() == Kind.CIRCUIT_MOVED)
        .map(move -> move.facts().get("previous_state") + " -> " + move.facts().get("state"))
        .toList();
  }

  @Test
  void every_move_of_the_circuit_is_evidence_of_the_run_that_saw_it() {
    play(
        scene -> {
          for (int failure = 0; failure < 32; failure++) {
            scene.statuses.add(500);
          }
          assertThat(circuitMoves(scene.collect(Items.of(10))))
              .containsExactly("closed -> open", "open -> half_open", "half_open -> open");
          scene.statuses.clear();
          scene.time.sleep(Duration.ofHours(1));
          assertThat(circuitMoves(scene.collect(Items.of(10))))
              .containsExactly("open -> half_open", "half_open -> closed");
        });
  }

  @Test
  void who_goes_on_in_spite_of_a_cooldown_leaves_evidence_and_who_finds_none_does_not() {
    play(
        scene -> {
          CollectionRequest plain = CollectionRequest.of("mine", Items.of(10));
          CollectionRequest forced = plain.withForce(true);
          scene.statuses.add(429);
          assertThat(only(scene.collect(plain), Kind.COOLDOWN_ARMED))
              .containsEntry("consecutive", "1");
          assertThat(scene.collect(plain))
              .as("who does not force")
              .extracting(Evidence::kind)
              .doesNotContain(Kind.COOLDOWN_OVERRIDDEN);
          assertThat(only(scene.collect(forced), Kind.COOLDOWN_OVERRIDDEN))
              .containsEntry("consecutive", "1");
          scene.time.sleep(Duration.ofHours(1));
          assertThat(scene.collect(forced))
              .as("nothing is in the way any more")
              .extracting(Evidence::kind)
              .contains(Kind.COOLDOWN_CLEARED)
              .doesNotContain(Kind.COOLDOWN_OVERRIDDEN);
        });
  }

  @Test
  void a_slice_whose_list_is_refused_was_given_up() {
    play(
        scene -> {
          scene.statuses.add(422);
          assertThat(only(scene.collect(Items.of(10)), Kind.SLICE_GIVEN_UP))
              .containsEntry("reason", "invalid");
        });
  }

  @Test
  void a_record_that_is_refused_too_often_is_evidence_once_and_so_is_its_recovery() {
    play(
        scene -> {
          Bookcase books = new Bookcase(LaneOptions.fixed(1), 1);
          scene.refuses = true;
          List<Evidence> last = scene.collect(books);
          for (int run = 0; run < 20 && scene.onlyGap() != DetailGap.State.QUARANTINED; run++) {
            assertThat(last).extracting(Evidence::kind).doesNotContain(Kind.GAP_QUARANTINED);
            scene.time.sleep(Duration.ofHours(7));
            last = scene.collect(books);
          }
          assertThat(only(last, Kind.GAP_QUARANTINED)).containsEntry("count", "1");
          assertThat(scene.collect(books))
              .as("it was there before")
              .extracting(Evidence::kind)
              .doesNotContain(Kind.GAP_QUARANTINED, Kind.GAP_CLOSED);

          scene.refuses = false;
          assertThat(only(scene.collect(books), Kind.GAP_CLOSED)).containsEntry("count", "1");
          assertThat(scene.collect(books)).as("all is well").isEmpty();
        });
  }
}

package dev.sluice.dataverse.pinning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.quota.Observed;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.quota.QuotaProfile;
import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.service.Routes.Route;
import dev.sluice.gate.Gate;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.WebAnswer;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which servers have lanes, by the cookies of answers. */
class ServersTest {
  private final Pinning pinning = new Pinning(true);
  private final Gate gate;

  ServersTest() {
    LaneOptions lane = LaneOptions.fixed(4);
    gate =
        Gate.builder()
            .time(Time.real())
            .lane(
                "app",
                pinning.add(
                    "app",
                    lane,
                    lane,
                    QuotaOptions.DATAVERSE,
                    Observed.recommending(4),
                    QuotaProfile.NONE,
                    0))
            .build();
    pinning.open(gate);
  }

  private static WebAnswer from(int server) {
    return new WebAnswer(
        200,
        HttpHeaders.of(
            Map.of("Set-Cookie", List.of("orgId=1; path=/", cookie(server) + "; path=/")),
            (name, value) -> true),
        new byte[0]);
  }

  private static String cookie(int server) {
    return "ARRAffinity=" + server;
  }

  private void find(int servers) {
    for (int i = 0; i < 11 * servers; i++) {
      pinning.answered(new Route("app", null), from(1 + i % servers), Signal.success(), 0);
    }
  }

  private void answer(int asked, int answering) {
    pinning.answered(new Route("app", cookie(asked)), from(answering), Signal.success(), 0);
  }

  private List<String> lanes() {
    return gate.statistics().lanes().stream().map(LaneStatistics::name).toList();
  }

  @Test
  void each_server_gets_a_lane_that_asks_for_it_once_no_new_one_comes() {
    find(3);
    assertThat(lanes()).containsExactlyInAnyOrder("app@1", "app@2", "app@3");
    assertThat(pinning.of("app@2")).isEqualTo(new Route("app", cookie(2)));
    assertThat(pinning.of("app")).isEqualTo(new Route("app", null));
  }

  @Test
  void while_the_user_is_held_its_lane_to_any_server_stays() {
    gate.hold("app", Duration.ofHours(1));
    find(3);
    assertThat(lanes()).containsExactly("app", "app@1", "app@2", "app@3");
  }

  @Test
  void a_server_that_answers_no_more_loses_its_lane_and_the_others_keep_theirs() {
    find(3);
    for (int i = 0; i < 40; i++) {
      answer(1, 1);
      answer(2, 2);
    }
    for (int i = 0; i < 10; i++) {
      answer(1, 1);
      answer(2, 2);
      answer(3, 1 + i % 2);
    }
    assertThat(lanes()).containsExactlyInAnyOrder("app@1", "app@2");
  }

  @Test
  void a_server_that_appears_later_gets_its_lane() {
    find(2);
    for (int i = 0; i < 40; i++) {
      answer(1, 1);
    }
    answer(1, 7);
    assertThat(lanes()).containsExactlyInAnyOrder("app@1", "app@2", "app@3");
  }

  @Test
  void what_a_lane_was_told_to_wait_its_successor_waits() {
    find(2);
    gate.hold("app@1", Duration.ofHours(1));
    for (int i = 0; i < 40; i++) {
      answer(1, i % 2 == 0 ? 2 : 1);
    }
    assertThat(lanes()).containsExactly("app");
    assertThat(gate.statistics().lanes().getFirst().held()).isGreaterThan(Duration.ofMinutes(59));
  }

  @Test
  void cookies_that_are_new_with_every_answer_are_not_those_of_servers() {
    find(2);
    for (int i = 0; i < 200; i++) {
      answer(1, 1);
      answer(2, 2);
      pinning.answered(new Route("app", null), from(1_000 + i), Signal.success(), 0);
    }
    assertThat(lanes()).hasSizeLessThan(70);
  }

  @Test
  void an_answer_is_not_lost_with_a_lane_that_somebody_took_away() {
    find(2);
    gate.removeLane("app@1");
    for (int i = 0; i < 40; i++) {
      answer(1, i % 2 == 0 ? 2 : 1);
    }
    assertThat(lanes()).contains("app@2");
  }
}

package dev.sluice.arena.contender;

import static dev.sluice.arena.bout.TinyWorld.MILLIS;
import static dev.sluice.arena.bout.TinyWorld.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.arena.bout.Bout;
import dev.sluice.arena.bout.Contender;
import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.Score;
import dev.sluice.arena.bout.Sending;
import dev.sluice.arena.bout.TinyWorld;
import dev.sluice.arena.bout.TinyWorld.Arrival;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PeersTest {
  private static final Job SHORT = new Job("", Long.MAX_VALUE, 20 * SECOND);

  static List<Peer> peers() {
    return Stream.concat(Peers.all().stream(), Peers.held().stream()).toList();
  }

  @Test
  void their_names_are_the_ones_on_the_wire() {
    assertThat(Peers.all())
        .extracting(Peer::name)
        .containsExactly(
            "fixed-hint",
            "fixed-52",
            "aimd-chunked",
            "aimd-chunked-once",
            "gradient2",
            "gradient2-52",
            "vegas",
            "vegas-52",
            "limits-aimd",
            "limits-aimd-52",
            "aws-adaptive",
            "resilience4j-quota",
            "resilience4j-guess",
            "scrapy-autothrottle");
    assertThat(Peers.held())
        .extracting(Peer::name)
        .containsExactly(
            "gradient2-held",
            "vegas-held",
            "limits-aimd-held",
            "aws-adaptive-held",
            "resilience4j-held");
    assertThat(Peers.named("vegas").origin().wireName()).isEqualTo("transcription");
    assertThatThrownBy(() -> Peers.named("nobody"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no peer is named nobody; there are: fixed-hint, fixed-52, ");
  }

  @Test
  void numbers_below_one_are_refused_with_what_they_mean() {
    Peer peer = Peers.named("fixed-hint");
    assertThatThrownBy(() -> peer.contender(0, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "users is 0, but must be 1 or more (how many identities there are to send through)");
    assertThatThrownBy(() -> peer.contender(1, 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("hint is 0, but must be 1 or more (");
  }

  @ParameterizedTest
  @MethodSource("peers")
  void equal_seeds_give_equal_scores_and_requests(Peer peer) {
    for (long retryAfter : new long[] {Sending.NONE, 3 * SECOND}) {
      TinyWorld one = quota(retryAfter);
      TinyWorld other = quota(retryAfter);
      Score score = Bout.play(peer.contender(3, 12, 7), one, SHORT);
      assertThat(Bout.play(peer.contender(3, 12, 7), other, SHORT)).isEqualTo(score);
      assertThat(other.arrivals().equals(one.arrivals())).isTrue(); // too many to print
      assertThat(score.done()).isGreaterThan(10);
    }
  }

  @ParameterizedTest
  @MethodSource("peers")
  void uses_every_user_and_names_no_server(Peer peer) {
    TinyWorld world = quota(SECOND);
    Contender contender = peer.contender(3, 12, 7);
    Bout.play(contender, world, SHORT);
    assertThat(world.arrivals().stream().map(Arrival::cookie).distinct())
        .containsExactly(Sending.NONE);
    assertThat(world.arrivals().stream().map(Arrival::user).distinct()).containsExactly(0, 1, 2);
    assertThat(contender.level(20 * SECOND)).isPositive().isFinite();
    assertThat(contender.rate(20 * SECOND)).isPositive();
    assertThat(contender).hasToString(peer.name());
  }

  @ParameterizedTest
  @MethodSource("peers")
  void finishes_a_job_even_if_much_is_refused(Peer peer) {
    TinyWorld world =
        new TinyWorld(
            2,
            (sending, index, now) -> {
              if (index % 3 == 0) {
                sending.refuse(503, Sending.NONE, 0);
              } else {
                sending.admit(500 * MILLIS, 0, null);
              }
            });
    Score score = Bout.play(peer.contender(2, 8, 1), world, Job.of("five hundred", 500));
    assertThat(score.finished()).isTrue();
    assertThat(score.done()).isEqualTo(500);
  }

  /** Thirty requests in each second, all users together, and slower the more it works on. */
  private static TinyWorld quota(long retryAfter) {
    long[] count = new long[2];
    TinyWorld[] world = new TinyWorld[1];
    world[0] =
        new TinyWorld(
            3,
            (sending, index, now) -> {
              long second = now / SECOND;
              count[1] = second == count[0] ? count[1] + 1 : 1;
              count[0] = second;
              if (count[1] > 30) {
                sending.refuse(429, retryAfter, 0);
              } else {
                sending.admit((300 + 10L * world[0].inService()) * MILLIS, 0, null);
              }
            });
    return world[0];
  }
}

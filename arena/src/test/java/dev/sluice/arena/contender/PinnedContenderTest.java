package dev.sluice.arena.contender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.arena.bout.Bout;
import dev.sluice.arena.bout.Score;
import dev.sluice.arena.bout.Sending;
import dev.sluice.arena.bout.Watch;
import dev.sluice.arena.world.DataverseScenario;
import dev.sluice.arena.world.DataverseScenarios;
import dev.sluice.arena.world.DataverseWorld;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PinnedContenderTest {
  private static final int AT_ONCE = QuotaOptions.DATAVERSE.maxInFlight();

  @Test
  void where_cookies_are_ignored_a_user_never_has_more_out_than_one_server_runs() {
    Observed observed = play("four servers, cookies ignored", 1);
    assertThat(observed.most).isLessThanOrEqualTo(AT_ONCE);
    assertThat(observed.tooManyAtOnce).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"four servers", "four servers, three users", "four servers, sticky"})
  void where_servers_count_by_themselves_more_run_at_once_and_none_is_refused_for_it(String name) {
    Observed observed = play(name, 1);
    assertThat(observed.most).isGreaterThan(AT_ONCE + AT_ONCE / 2);
    assertThat(observed.tooManyAtOnce).isZero();
  }

  @Test
  void where_servers_count_together_a_few_refusals_are_enough_to_know() {
    Observed observed = play("four servers that count together", 1);
    assertThat(observed.tooManyAtOnce).isBetween(1, 6);
    assertThat(observed.throttled).isLessThan(0.02);
  }

  private static Observed play(String name, double windows) {
    DataverseScenario scenario =
        DataverseScenarios.named().stream()
            .filter(one -> one.name().equals(name))
            .findFirst()
            .orElseThrow();
    PinnedContender contender =
        new PinnedContender(
            scenario.users(),
            QuotaOptions.DATAVERSE.withRoundTrip(Duration.ofNanos(2 * scenario.oneWay())),
            UnaryOperator.identity(),
            1);
    Observed observed = new Observed(scenario.users());
    Score score =
        Bout.play(
            contender,
            new DataverseWorld(scenario, 1),
            DataverseScenarios.job(scenario, windows),
            observed);
    observed.throttled = score.throttled();
    return observed;
  }

  /** How many were out at once, and how many were too many. */
  private static final class Observed implements Watch {
    private final int[] out;
    private int most;
    private int tooManyAtOnce;
    private double throttled;

    Observed(int users) {
      this.out = new int[users];
    }

    @Override
    public void sent(Sending sending, long now) {
      most = Math.max(most, ++out[sending.user()]);
    }

    @Override
    public void answered(Sending sending, long now) {
      out[sending.user()]--;
      if (!sending.isAdmitted() && sending.facet() == Signal.Facet.CONCURRENCY) {
        tooManyAtOnce++;
      }
    }
  }
}

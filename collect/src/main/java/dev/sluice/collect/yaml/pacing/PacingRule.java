package dev.sluice.collect.yaml.pacing;

import dev.sluice.collect.connector.PageForPeople;
import dev.sluice.control.lane.HintlessHold;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.pacing.PacerOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.http.Answer;
import dev.sluice.gate.http.Dialect;
import dev.sluice.gate.http.Signals;
import dev.sluice.runs.pressure.LaneMemory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a connector file says about limits. Immutable.
 *
 * @param pace the bounds within which the rate is found; empty to learn it without any
 * @param inFlight how many requests may be in flight; empty to leave it to the pace
 * @param reserve the share of every quota that is left to others; empty for the usual one
 * @param noHintWait the first wait after a throttle that tells none
 */
public record PacingRule(
    Optional<PacerOptions> pace,
    Optional<Integer> inFlight,
    Optional<Double> reserve,
    Optional<Duration> noHintWait,
    List<Dialect> quota,
    List<AnswerRule> answers) {
  /** Nothing is said. */
  static final PacingRule NONE =
      new PacingRule(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          List.of(),
          List.of());

  private static final int MOST_IN_FLIGHT = 10_000;

  /** A declared wait after a throttle that tells none doubles up to this, or is longer itself. */
  private static final Duration LONGEST_NO_HINT_WAIT = Duration.ofMinutes(15);

  public PacingRule {
    quota = List.copyOf(quota);
    answers = List.copyOf(answers);
  }

  /** How fast the provider is asked, beginning with what is remembered of its lane. */
  public LaneOptions lane(String lane, LaneMemory memory) {
    LaneOptions found =
        pace.map(options -> memory.paced(lane, options)).orElseGet(() -> memory.learning(lane));
    LaneOptions reined = found;
    if (reserve.isPresent() || (inFlight.isPresent() && pace.isEmpty())) {
      int most = inFlight.orElse(MOST_IN_FLIGHT);
      double share = reserve.orElse(0.0);
      reined = found.withPolicy(now -> new ReinedPolicy(found.policy().create(now), most, share));
    }
    return noHintWait
        .map(
            wait ->
                new HintlessHold(
                    wait, wait.compareTo(LONGEST_NO_HINT_WAIT) > 0 ? wait : LONGEST_NO_HINT_WAIT))
        .map(reined::withHintlessHold)
        .orElse(reined);
  }

  /** Some frameworks send everything as text/html: what begins as JSON does is no page. */
  private static boolean isDataThatSaysHtml(Answer answer) {
    return answer.status() >= 200
        && answer.status() < 300
        && answer.hasType("text/html")
        && answer.body().filter(PageForPeople::looksLikeData).isPresent();
  }

  /** What its answers mean; for this provider alone. */
  public Signals signals() {
    Signals.Builder builder = Signals.builder().expectJson();
    for (Dialect dialect : quota) {
      builder = builder.dialect(dialect);
    }
    for (AnswerRule answer : answers) {
      builder = builder.classifier(answer);
    }
    return builder.when(PacingRule::isDataThatSaysHtml, Signal.SUCCESS).build();
  }
}

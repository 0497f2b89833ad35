package dev.sluice.control.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.retry.Decision.AwaitLane;
import dev.sluice.control.retry.Decision.Done;
import dev.sluice.control.retry.Decision.GiveUp;
import dev.sluice.control.retry.Decision.Reroute;
import dev.sluice.control.retry.Decision.RetryAt;
import dev.sluice.control.signal.Signal;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever the provider answers and whichever lanes the gate grants, every request ends. */
class RetriesPropertyTest {

  static LongStream seeds() {
    return LongStream.range(0, 500 * Integer.getInteger("sluice.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void a_request_never_loops_and_never_overdraws(long seed) {
    Random random = new Random(seed);
    int lanes = random.nextInt(1, 6);
    RetryOptions options = new RetryOptions(random.nextInt(5), random.nextInt(1, 5), true);
    RetryBudget budget = random.nextBoolean() ? null : new RetryBudget(random.nextInt(1, 30), 0);
    long tokens = budget == null ? 0 : budget.tokens();
    Retries retries = new Retries(options, new Backoff(random), budget);
    // Nothing but failures: a kind service would end it early.
    int throttles = random.nextInt(11);
    int retriedFailures = 0;
    boolean over = false;
    while (!over) {
      String lane = "lane" + random.nextInt(lanes); // tried or not: the gate may do as it likes
      if (!retries.granted(lane)) {
        break;
      }
      Signal signal =
          random.nextInt(10) < throttles
              ? Signal.throttled()
              : Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR);
      boolean liar = random.nextInt(4) == 0; // the lane was free when asked, and is not any more
      long now = random.nextLong();
      Decision decision =
          retries.settled(
              signal,
              now,
              () -> liar || LongStream.range(0, lanes).anyMatch(i -> !retries.isTried("lane" + i)));
      switch (decision) {
        case Reroute reroute -> {}
        case AwaitLane wait -> {}
        case RetryAt retry -> {
          retriedFailures++;
          assertThat(retry.notBefore() - now).as("seed %d", seed).isNotNegative();
        }
        case GiveUp giveUp -> over = true;
        case Done done -> throw new AssertionError("seed " + seed + ": done after " + signal);
      }
      assertThat(retries.attempts())
          .as("seed %d", seed)
          .isLessThanOrEqualTo(lanes * (options.maxThrottleRetries() + options.maxAttempts()));
    }
    assertThat(retries.throttleRetries())
        .as("seed %d", seed)
        .isLessThanOrEqualTo(options.maxThrottleRetries());
    if (budget != null) {
      assertThat(tokens - budget.tokens())
          .as("seed %d", seed)
          .isEqualTo(retries.throttleRetries() + retriedFailures);
    }
  }
}

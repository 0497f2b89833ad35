package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runs.gap.Miss;
import dev.sluice.runs.run.Reason;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FetchedTest {

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void details_that_a_cancelled_run_left_are_missing_because_somebody_stopped_it(boolean sent) {
    assertThat(Fetched.miss(new Stop.Cancelled(), sent, Optional.empty()))
        .isEqualTo(new Miss.NotSent(Reason.Planned.CANCELLED));
  }
}

package dev.sluice.arena.contender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.arena.bout.Sending;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.http.Answer;
import dev.sluice.gate.http.Signals;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What answers mean in the arena is what the product reads from them. */
class AnswersTest {
  private static final long SECOND = 1_000_000_000;

  @ParameterizedTest
  @CsvSource({"429, 0", "429, 1", "429, 3600", "503, 0", "503, 7", "403, 0"})
  void a_refusal_means_what_the_product_reads(int status, int seconds) {
    Sending sending = new Sending();
    sending.refuse(status, seconds == 0 ? Sending.NONE : seconds * SECOND, Sending.NONE);
    assertThat(Answers.signal(sending)).isEqualTo(read(status, seconds));
  }

  @ParameterizedTest
  @CsvSource({"500", "502", "503", "504"})
  void a_failure_means_what_the_product_reads(int status) {
    Sending sending = new Sending();
    sending.fail(status, 1, 0, false);
    assertThat(Answers.signal(sending)).isEqualTo(read(status, 0));
  }

  @Test
  void a_success_means_what_the_product_reads() {
    Sending sending = new Sending();
    sending.admit(1, Sending.NONE, null);
    assertThat(Answers.signal(sending)).isEqualTo(read(200, 0));
  }

  @Test
  void no_answer_means_what_the_product_reads() {
    Sending sending = new Sending();
    sending.fail(0, 1, 0, false);
    assertThat(Answers.signal(sending))
        .isEqualTo(Signals.failed(new IOException("Connection reset")))
        .isEqualTo(Signals.failed(new HttpTimeoutException("request timed out")));
  }

  private static Signal read(int status, int seconds) {
    Map<String, List<String>> headers =
        seconds == 0 ? Map.of() : Map.of("Retry-After", List.of(Integer.toString(seconds)));
    return Signals.builder()
        .build()
        .read(Answer.of(status, headers, Instant.EPOCH))
        .signal();
  }
}

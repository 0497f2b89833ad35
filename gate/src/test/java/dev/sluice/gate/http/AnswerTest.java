package dev.sluice.gate.http;

import static dev.sluice.gate.http.Answers.NOW;
import static dev.sluice.gate.http.Answers.answer;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.Ticker;
import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.Signal.Throttled;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AnswerTest {
  private static final Ticker CLOCK =
      new Ticker() {
        @Override
        public long nanos() {
          return -1_000;
        }

        @Override
        public Instant instant() {
          return NOW;
        }
      };

  @Test
  void headers_are_found_in_any_case_and_lines_of_one_name_are_kept_together() {
    Answer answer = answer(200, "X-A: 1", "x-a: 2", "X-a: 3");
    assertThat(answer.header("x-A")).containsExactlyInAnyOrder("1", "2", "3");
    assertThat(answer.header("x-b")).isEmpty();
  }

  @Test
  void a_part_is_taken_from_every_line_that_has_it() {
    Answer answer = answer(200, "P: 200,2000", "P: 7", "Q: 32/40", "R:");
    assertThat(answer.part("p", ',', 0)).containsExactly("200", "7");
    assertThat(answer.part("p", ',', 1)).containsExactly("2000");
    assertThat(answer.part("q", '/', 1)).containsExactly("40");
    assertThat(answer.part("q", '/', 2)).isEmpty();
    assertThat(answer.part("r", '/', 0)).containsExactly("");
    assertThat(answer.part("none", '/', 0)).isEmpty();
  }

  @Test
  void a_type_is_compared_without_case_and_parameters() {
    assertThat(answer(200, "Content-Type: Text/HTML; a=b").hasType("text/html")).isTrue();
    assertThat(answer(200, "Content-Type: text/html").hasType("text/html")).isTrue();
    assertThat(answer(200, "Content-Type: text/html5").hasType("text/html")).isFalse();
    assertThat(answer(200).hasType("text/html")).isFalse();
  }

  @Test
  void an_answer_prints_nothing_but_its_status() {
    assertThat(answer(429, "Set-Cookie: secret").withBody("secret")).hasToString("answer 429");
  }

  @Test
  void a_jdk_response_is_taken_with_its_times_and_its_text() {
    Answer answer = Answer.of(response(429, "slow down", "Retry-After", "7"), -3_000, CLOCK);
    assertThat(answer.roundTrip()).contains(Duration.ofNanos(2_000));
    assertThat(answer.receivedOn()).isEqualTo(NOW);
    assertThat(answer.body()).contains("slow down");
    assertThat(answer.header("retry-after")).containsExactly("7");
  }

  @Test
  void bytes_are_a_body_and_a_stream_is_not() {
    assertThat(Answer.of(response(200, "é".getBytes(UTF_8)), CLOCK).body()).contains("é");
    assertThat(Answer.of(response(200, new Object()), CLOCK).body()).isEmpty();
    assertThat(Answer.of(response(200, null), CLOCK).body()).isEmpty();
    assertThat(Answer.of(response(200, "x".repeat(70_000)), CLOCK).body().orElseThrow())
        .hasSize(65_536);
  }

  @Test
  void a_negative_round_trip_is_refused() {
    assertThatThrownBy(() -> answer(200).withRoundTrip(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("roundTrip is PT-0.000000001S");
  }

  @Test
  void one_line_reads_a_jdk_response_with_the_defaults() {
    assertThat(Signals.read(response(200, ""))).isSameAs(Signal.SUCCESS);
    assertThat(((Throttled) Signals.read(response(429, "", "Retry-After", "7"))).retryAfter())
        .contains(Duration.ofSeconds(7));
  }

  private static <T> HttpResponse<T> response(
      int status, @Nullable T body, String... namesAndValues) {
    Map<String, List<String>> headers = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.put(namesAndValues[i], List.of(namesAndValues[i + 1]));
    }
    HttpHeaders map = HttpHeaders.of(headers, (name, value) -> true);
    return new HttpResponse<>() {
      @Override
      public int statusCode() {
        return status;
      }

      @Override
      public HttpRequest request() {
        throw new UnsupportedOperationException();
      }

      @Override
      public Optional<HttpResponse<T>> previousResponse() {
        return Optional.empty();
      }

      @Override
      public HttpHeaders headers() {
        return map;
      }

      @Override
      public @Nullable T body() {
        return body;
      }

      @Override
      public Optional<SSLSession> sslSession() {
        return Optional.empty();
      }

      @Override
      public URI uri() {
        throw new UnsupportedOperationException();
      }

      @Override
      public HttpClient.Version version() {
        return HttpClient.Version.HTTP_1_1;
      }
    };
  }
}

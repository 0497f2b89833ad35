package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Benchmark;

class PeerBenchmarkTest {
  private static final int TIMES = 1_000;

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("limiters")
  void every_limiter_keeps_answering_as_it_was_set_up(
      Method limiter, Outcome outcome, PeerBenchmark benchmark) throws Exception {
    for (int i = 0; i < TIMES; i++) {
      Object answer = limiter.invoke(benchmark);
      if (answer instanceof Boolean granted) {
        assertThat(granted).isEqualTo(outcome == Outcome.GRANTED);
      }
    }
  }

  static Stream<Arguments> limiters() {
    return Arrays.stream(Outcome.values())
        .flatMap(
            outcome ->
                Stream.of(
                        built(PaceBenchmark::new, PaceBenchmark::build, outcome),
                        built(SlotBenchmark::new, SlotBenchmark::build, outcome),
                        built(GateBenchmark::new, GateBenchmark::build, outcome))
                    .flatMap(
                        benchmark ->
                            methods(benchmark).stream()
                                .map(method -> Arguments.of(method, outcome, benchmark))));
  }

  private static <B extends PeerBenchmark> PeerBenchmark built(
      Supplier<B> benchmark, Consumer<B> setup, Outcome outcome) {
    B built = benchmark.get();
    built.outcome = outcome;
    setup.accept(built);
    return built;
  }

  private static List<Method> methods(PeerBenchmark benchmark) {
    return Arrays.stream(benchmark.getClass().getMethods())
        .filter(method -> method.isAnnotationPresent(Benchmark.class))
        .toList();
  }

  @Test
  void a_limiter_that_answers_otherwise_ends_the_measurement() {
    assertThatThrownBy(() -> Outcome.GRANTED.confirmed(false))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("set up to be always GRANTED, but was REFUSED");
    assertThatThrownBy(() -> Outcome.REFUSED.confirmed(true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("set up to be always REFUSED, but was GRANTED");
  }
}

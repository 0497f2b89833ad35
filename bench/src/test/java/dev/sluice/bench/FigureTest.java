package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FigureTest {
  @Test
  void a_table_has_a_row_for_each_limiter_and_a_column_for_each_number_of_threads() {
    List<Figure> figures =
        List.of(
            new Figure("Pace", "granted", "sluice", 1, 23.44, 0.52, 0.0001),
            new Figure("Pace", "granted", "peer", 1, 40, 1, 24),
            new Figure("Pace", "granted", "sluice", 2, 51.26, 3, 0),
            new Figure("Pace", "granted", "peer", 2, 90, 2, 24),
            new Figure("Pace", "refused", "sluice", 1, 20, 1, 0));

    assertThat(Figure.table(figures, List.of(1, 2)))
        .isEqualTo(
            """
            | Pace, granted | 1 thread | 2 threads |
            |---|---:|---:|
            | peer | 40.0 ± 1.0 ns, 24 B | 90.0 ± 2.0 ns, 24 B |
            | sluice | 23.4 ± 0.5 ns, 0 B | 51.3 ± 3.0 ns, 0 B |

            | Pace, refused | 1 thread | 2 threads |
            |---|---:|---:|
            | sluice | 20.0 ± 1.0 ns, 0 B | |
            """);
  }

  @Test
  void what_was_not_measured_is_left_out() {
    Figure figure = new Figure("Slot", "granted", "sluice", 1, 30, Double.NaN, Double.NaN);
    assertThat(Figure.table(List.of(figure), List.of(1))).contains("| sluice | 30.0 ns |");
  }

  @Test
  void sluice_is_compared_with_the_peer_that_takes_the_same_step_on_as_many_threads() {
    List<Figure> figures =
        List.of(
            new Figure("Gate", "granted", "sluice", 1, 90, 1, 0),
            new Figure("Gate", "granted", "sluice", 2, 150, 1, 0),
            new Figure("Gate", "granted", "sluiceAcquire", 1, 50, 1, 0),
            new Figure("Gate", "granted", "sluiceCall", 1, 200, 1, 0),
            new Figure("Gate", "granted", "resilience4j", 1, 120, 1, 0),
            new Figure("Gate", "granted", "resilience4jCall", 1, 160, 1, 0),
            new Figure("Gate", "refused", "resilience4j", 2, 10, 1, 0));

    assertThat(Figure.ratios(figures, List.of(1, 2)))
        .isEqualTo(
            """
            | Sluice ÷ Resilience4j | 1 thread | 2 threads |
            |---|---:|---:|
            | Gate, granted: sluice | 0.75 | |
            | Gate, granted: sluiceCall | 1.25 | |
            """);
  }
}

package dev.sluice.runs.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.NoSuchElementException;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RowSetTest {
  static LongStream seeds() {
    return LongStream.range(0, 200 * Integer.getInteger("sluice.seeds", 1));
  }

  /** Dense and sparse, small and huge rows. */
  private static SortedSet<Long> random(Random random) {
    TreeSet<Long> rows = new TreeSet<>();
    long base = random.nextInt(3) == 0 ? random.nextLong(Long.MAX_VALUE - 1_000) : 0;
    int span = 1 + random.nextInt(300);
    int count = random.nextInt(200);
    for (int i = 0; i < count; i++) {
      rows.add(base + random.nextInt(span));
    }
    if (random.nextInt(10) == 0) {
      rows.add(RowSet.HIGHEST);
    }
    return rows;
  }

  private static RowSet set(SortedSet<Long> rows) {
    return RowSet.of(rows.stream().mapToLong(row -> row).toArray());
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void behaves_like_a_set_of_numbers(long seed) {
    Random random = new Random(seed);
    SortedSet<Long> a = random(random);
    SortedSet<Long> b = random(random);
    TreeSet<Long> union = new TreeSet<>(a);
    union.addAll(b);
    TreeSet<Long> minus = new TreeSet<>(a);
    minus.removeAll(b);
    TreeSet<Long> both = new TreeSet<>(a);
    both.retainAll(b);

    assertThat(set(a).rows().boxed()).containsExactlyElementsOf(a);
    assertThat(set(a).size()).isEqualTo(a.size());
    assertThat(set(a).isEmpty()).isEqualTo(a.isEmpty());
    assertThat(set(a).union(set(b))).isEqualTo(set(union));
    assertThat(set(a).minus(set(b))).isEqualTo(set(minus));
    assertThat(set(a).intersect(set(b))).isEqualTo(set(both));
    assertThat(set(a).containsAll(set(b))).isEqualTo(a.containsAll(b));
    assertThat(set(union).containsAll(set(b))).isTrue();
    for (long row : union) {
      assertThat(set(a).contains(row)).isEqualTo(a.contains(row));
      assertThat(set(a).contains(row + 1)).isEqualTo(a.contains(row + 1));
    }
    if (!a.isEmpty()) {
      assertThat(set(a).first()).isEqualTo(a.getFirst());
      assertThat(set(a).last()).isEqualTo(a.getLast());
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void survives_being_encoded(long seed) {
    RowSet rows = set(random(new Random(seed)));
    assertThat(RowSet.decode(rows.encode())).isEqualTo(rows).hasSameHashCodeAs(rows);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void damaged_bytes_are_refused_or_are_a_set_in_order(long seed) {
    byte[] bytes = new byte[new Random(seed).nextInt(20)];
    new Random(~seed).nextBytes(bytes);
    try {
      RowSet decoded = RowSet.decode(bytes);
      assertThat(RowSet.decode(decoded.encode())).isEqualTo(decoded);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("the bytes of a set of rows");
    }
  }

  @Test
  void a_million_rows_in_a_row_take_a_few_bytes() {
    assertThat(RowSet.range(5_000_000, 5_999_999).encode()).hasSizeLessThan(8);
  }

  @Test
  void what_is_no_row_is_refused() {
    assertThatThrownBy(() -> RowSet.of(3, -1)).hasMessageContaining("counted from 0");
    assertThatThrownBy(() -> RowSet.of(Long.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RowSet.range(5, 3)).hasMessageContaining("5 to 3");
    assertThat(RowSet.range(5, 4)).isEqualTo(RowSet.EMPTY);
    assertThatThrownBy(RowSet.EMPTY::first).isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(RowSet.EMPTY::last).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void people_read_ranges() {
    assertThat(RowSet.range(0, 99).union(RowSet.of(120))).hasToString("0-99, 120");
    assertThat(RowSet.EMPTY).hasToString("no rows");
  }
}

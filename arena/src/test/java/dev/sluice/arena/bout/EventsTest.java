package dev.sluice.arena.bout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventsTest {
  private final Events events = new Events();

  @Test
  void nothing_happens_at_the_end_of_time_if_there_is_nothing() {
    assertThat(events.isEmpty()).isTrue();
    assertThat(events.nextAt()).isEqualTo(Long.MAX_VALUE);
    assertThatThrownBy(events::take).isInstanceOf(RuntimeException.class);
  }

  @Test
  void those_of_one_instant_happen_in_the_order_in_which_they_were_added() {
    List<Sending> added = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      Sending sending = new Sending();
      added.add(sending);
      events.add(sending, 7);
    }
    assertThat(takeAll()).containsExactlyElementsOf(added);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void come_by_time_and_then_by_order_however_they_are_added_and_taken(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Sending> expected = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      if (expected.isEmpty() || random.nextInt(5) < 3) {
        Sending sending = new Sending();
        events.add(sending, random.nextLong(100));
        expected.add(sending);
      } else {
        expected.sort(Comparator.comparingLong(one -> one.eventAt)); // stable: keeps the order
        assertThat(events.nextAt()).isEqualTo(expected.getFirst().eventAt);
        assertThat(events.take()).isSameAs(expected.removeFirst());
      }
    }
    expected.sort(Comparator.comparingLong(one -> one.eventAt));
    assertThat(takeAll()).containsExactlyElementsOf(expected);
  }

  private List<Sending> takeAll() {
    List<Sending> taken = new ArrayList<>();
    while (!events.isEmpty()) {
      taken.add(events.take());
    }
    return taken;
  }
}

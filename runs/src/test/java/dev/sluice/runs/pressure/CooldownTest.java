package dev.sluice.runs.pressure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.runs.run.Reason;
import dev.sluice.runs.run.Reason.Pressure;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CooldownTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private static Cooldown armed(Cooldown before, Instant answered) {
    return before.armed(Pressure.RATE_LIMITED, answered, Optional.empty());
  }

  /** As after so many episodes, each met as soon as the one before it has ended. */
  private static Cooldown armed(int times) {
    Cooldown cooldown = Cooldown.NONE;
    for (int i = 0; i < times; i++) {
      cooldown = armed(cooldown, i == 0 ? NOON : cooldown.until());
    }
    return cooldown;
  }

  @Test
  void at_first_nothing_keeps_anybody_away() {
    assertThat(Cooldown.NONE.stands(NOON)).isFalse();
    assertThat(Cooldown.NONE.remaining(NOON)).isZero();
    assertThat(Cooldown.NONE.needsAttention()).isFalse();
  }

  @Test
  void the_first_episode_arms_it_for_a_minute_from_the_last_pressure() {
    Cooldown cooldown = armed(Cooldown.NONE, NOON);
    assertThat(cooldown.until()).isEqualTo(NOON.plusSeconds(60));
    assertThat(cooldown.reason()).contains(Pressure.RATE_LIMITED);
    assertThat(cooldown.stands(NOON.plusSeconds(60).minusNanos(1))).isTrue();
    assertThat(cooldown.stands(NOON.plusSeconds(60))).isFalse();
    assertThat(cooldown.remaining(NOON.plusSeconds(20))).isEqualTo(Duration.ofSeconds(40));
  }

  @Test
  void it_doubles_with_every_episode_in_a_row_up_to_six_hours() {
    List<Long> minutes = new ArrayList<>();
    for (int i = 1; i <= 11; i++) {
      Cooldown cooldown = armed(i);
      minutes.add(Duration.between(cooldown.lastPressure(), cooldown.until()).toMinutes());
    }
    assertThat(minutes).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 360L, 360L);
  }

  @Test
  void it_stays_at_six_hours_however_many_episodes_there_are() {
    Cooldown many =
        new Cooldown(Optional.of(Pressure.CIRCUIT_OPEN), NOON, NOON, Integer.MAX_VALUE - 1);
    assertThat(armed(many, NOON).until()).isEqualTo(NOON.plus(Cooldown.LONGEST));
  }

  @Test
  void the_providers_own_word_counts_where_it_is_later_and_only_there() {
    Instant late = NOON.plus(Duration.ofDays(2));
    assertThat(Cooldown.NONE.armed(Pressure.RATE_LIMITED, NOON, Optional.of(late)).until())
        .isEqualTo(late);
    Instant soon = NOON.plusSeconds(5);
    assertThat(Cooldown.NONE.armed(Pressure.RATE_LIMITED, NOON, Optional.of(soon)).until())
        .isEqualTo(NOON.plusSeconds(60));
  }

  @Test
  void an_episode_arms_it_once_and_later_answers_of_the_same_do_not_lengthen_it() {
    Cooldown cooldown = armed(Cooldown.NONE, NOON);
    Instant late = NOON.plus(Duration.ofDays(2));
    assertThat(cooldown.armed(Pressure.CIRCUIT_OPEN, NOON.plusSeconds(59), Optional.of(late)))
        .isEqualTo(cooldown);
    assertThat(armed(cooldown, NOON.minusSeconds(5))).isEqualTo(cooldown);
    assertThat(armed(cooldown, NOON.plusSeconds(60)).consecutive()).isEqualTo(2);
  }

  @Test
  void the_first_success_after_it_clears_it_whole() {
    Cooldown cooldown = armed(5);
    assertThat(cooldown.succeeded(cooldown.until())).isEqualTo(Cooldown.NONE);
    assertThat(armed(cooldown.succeeded(cooldown.until()), cooldown.until()).until())
        .isEqualTo(cooldown.until().plusSeconds(60));
  }

  @Test
  void a_success_of_what_was_under_way_does_not_clear_it() {
    Cooldown cooldown = armed(2);
    assertThat(cooldown.succeeded(cooldown.until().minusNanos(1))).isEqualTo(cooldown);
  }

  @Test
  void a_person_may_go_on_but_the_next_one_is_as_long_as_if_it_had_been_kept() {
    Cooldown cooldown = armed(3).overridden(NOON.plusSeconds(200));
    assertThat(cooldown.stands(NOON.plusSeconds(200))).isFalse();
    Cooldown next = armed(cooldown, NOON.plusSeconds(201));
    assertThat(Duration.between(next.lastPressure(), next.until()))
        .isEqualTo(Duration.ofMinutes(8));
    assertThat(cooldown.succeeded(NOON.plusSeconds(201))).isEqualTo(Cooldown.NONE);
  }

  @Test
  void overriding_what_does_not_stand_changes_nothing() {
    Cooldown over = armed(1);
    assertThat(over.overridden(over.until())).isEqualTo(over);
    assertThat(Cooldown.NONE.overridden(NOON)).isEqualTo(Cooldown.NONE);
  }

  @Test
  void after_twelve_fruitless_rounds_a_person_should_look_at_it() {
    assertThat(armed(11).needsAttention()).isFalse();
    assertThat(armed(12).needsAttention()).isTrue();
  }

  @Test
  void fewer_than_no_episodes_are_refused() {
    assertThatThrownBy(() -> new Cooldown(Optional.empty(), NOON, NOON, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("consecutive is -1");
  }

  /** Everything that reaches the store's cooldown, too. */
  @Test
  void no_public_method_accepts_a_planned_reason() {
    List<Method> methods =
        Stream.of(Cooldown.class, Lanes.class, LaneMemory.class)
            .flatMap(type -> Stream.of(type.getDeclaredMethods()))
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .toList();
    assertThat(methods).extracting(Method::getName).contains("armed", "press");
    for (Method method : methods) {
      assertThat(method.getParameterTypes())
          .as(method.toString())
          .noneMatch(
              type ->
                  Reason.class.isAssignableFrom(type)
                      && type.isAssignableFrom(Reason.Planned.class));
    }
    assertThat(Pressure.class.isAssignableFrom(Reason.Planned.class)).isFalse();
    assertThat(Reason.Deferral.class.isAssignableFrom(Reason.Planned.class)).isTrue();
  }
}

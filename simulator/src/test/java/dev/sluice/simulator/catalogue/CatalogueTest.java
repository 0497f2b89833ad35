package dev.sluice.simulator.catalogue;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.simulator.catalogue.Catalogue.Mutation;
import dev.sluice.simulator.catalogue.Range.Order;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CatalogueTest {
  private static final Instant NOON = Instant.parse("2026-01-15T12:00:00Z");
  private static final long MINUTE = MINUTES.toNanos(1);

  static LongStream seeds() {
    return LongStream.range(0, 20 * Integer.getInteger("sluice.seeds", 1));
  }

  @Test
  void equal_seeds_give_equal_items_and_others_do_not() {
    assertThat(all(catalogue(1))).isEqualTo(all(catalogue(1))).hasSize(500);
    assertThat(all(catalogue(1))).isNotEqualTo(all(catalogue(2)));
  }

  @Test
  void some_items_share_the_second_of_their_last_change() {
    List<Item> items = all(catalogue(1));
    assertThat(items.stream().filter(item -> item.updated().equals(items.get(0).updated())))
        .hasSize(120);
    assertThat(items).allMatch(item -> !item.created().isAfter(item.updated()));
    assertThat(items).allMatch(item -> !item.updated().isAfter(NOON));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void pages_put_together_are_the_whole_range_in_order(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Catalogue catalogue = catalogue(seed);
    Instant since = NOON.minus(Duration.ofDays(random.nextInt(1, 365)));
    Range range =
        new Range(
            random.nextBoolean() ? Order.ID : Order.UPDATED,
            random.nextBoolean() ? null : since,
            random.nextBoolean() ? null : since.plus(Duration.ofDays(100)));
    List<Item> expected =
        all(catalogue).stream()
            .filter(item -> range.since() == null || !item.updated().isBefore(range.since()))
            .filter(item -> range.before() == null || item.updated().isBefore(range.before()))
            .sorted(
                range.order() == Order.ID
                    ? Comparator.comparingLong(Item::id)
                    : Comparator.comparing(Item::updated).thenComparingLong(Item::id))
            .toList();
    List<Item> behind = new ArrayList<>();
    List<Item> skipping = new ArrayList<>();
    int size = random.nextInt(1, 150);
    Optional<Place> place = Optional.empty();
    for (List<Item> page = catalogue.list(range, place, 0, size);
        !page.isEmpty();
        page = catalogue.list(range, place, 0, size)) {
      behind.addAll(page);
      place = Optional.of(Catalogue.place(range, page.getLast()));
      skipping.addAll(catalogue.list(range, Optional.empty(), skipping.size(), size));
    }
    assertThat(behind).isEqualTo(expected);
    assertThat(skipping).isEqualTo(expected);
    assertThat(catalogue.size(range)).isEqualTo(expected.size());
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void items_appear_change_and_vanish_at_about_the_rate_asked_for(long seed) {
    Catalogue catalogue =
        new Catalogue(
            CatalogueOptions.DEFAULTS.withSeed(seed).withChangesPerMinute(10), NOON, -MINUTE);
    List<Item> before = all(catalogue);
    for (int minute = 0; minute < 100; minute++) {
      catalogue.advance(minute * MINUTE, NOON.plusSeconds((minute + 1) * 60L));
    }
    List<Item> after = all(catalogue);
    long added = after.stream().filter(item -> item.id() > 1_000).count();
    long gone = before.stream().filter(item -> catalogue.isGone(item.id())).count();
    long changed = after.stream().filter(item -> item.revision() > 1).count();
    assertThat(added).isBetween(170L, 330L);
    assertThat(gone).isBetween(60L, 220L);
    assertThat(changed).isBetween(250L, 600L);
    assertThat(after)
        .filteredOn(item -> item.revision() > 1)
        .allMatch(item -> !item.updated().isBefore(NOON));
  }

  @Test
  void what_has_vanished_is_gone_and_what_never_was_is_not() {
    Catalogue catalogue = new Catalogue(CatalogueOptions.DEFAULTS.withItems(1), NOON, 0);
    assertThat(catalogue.mutate(Mutation.REMOVE, NOON)).isTrue();
    assertThat(catalogue.isGone(1)).isTrue();
    assertThat(catalogue.isGone(2)).isFalse();
    assertThat(catalogue.mutate(Mutation.CHANGE, NOON)).isFalse();
    assertThat(catalogue.mutate(Mutation.ADD, NOON)).isTrue();
    assertThat(catalogue.item(2)).isPresent();
  }

  @Test
  void options_out_of_range_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CatalogueOptions.DEFAULTS.withItems(-1))
        .withMessageContaining("items is -1, but must be 0 to 1,000,000");
  }

  private static Catalogue catalogue(long seed) {
    return new Catalogue(CatalogueOptions.DEFAULTS.withItems(500).withSeed(seed), NOON, 0);
  }

  private static List<Item> all(Catalogue catalogue) {
    return catalogue.list(Range.ALL, Optional.empty(), 0, Integer.MAX_VALUE);
  }
}

package dev.sluice.simulator.catalogue;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Items that come from a seed, and live: by themselves, at random, and when told to. Times of
 * change are whole seconds, so several items may share one; of every thousand items at the start,
 * 120 were changed together.
 *
 * <p>Single-threaded. Monotonic nanoseconds that do not go back tell when something happens, the
 * wall clock what it is dated.
 */
public final class Catalogue {
  private static final double MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final int BLOCK = 1_000;
  private static final int CHANGED_TOGETHER = 120;

  /** Catching up with more would be noticed by whoever waits for it. */
  private static final int MOST_CAUGHT_UP = 100_000;

  private static final Comparator<Item> BY_UPDATE =
      Comparator.comparing(Item::updated).thenComparingLong(Item::id);

  private final SplittableRandom random;
  private final double interval; // mean nanoseconds between two changes; 0 for no changes
  private final TreeMap<Long, Item> byId = new TreeMap<>();
  private final TreeSet<Item> byUpdate = new TreeSet<>(BY_UPDATE);
  private long lastId;
  private long nextChange;

  /** The items as they are at the start. */
  public Catalogue(CatalogueOptions options, Instant wallClock, long now) {
    this.random = new SplittableRandom(options.seed());
    this.interval = options.changesPerMinute() == 0 ? 0 : MINUTE / options.changesPerMinute();
    long history = options.history().toSeconds();
    Instant start = wallClock.truncatedTo(ChronoUnit.SECONDS);
    Instant together = start;
    for (int i = 0; i < options.items(); i++) {
      Instant updated = start.minusSeconds(random.nextLong(history));
      if (i % BLOCK == 0) {
        together = updated;
      }
      add(i % BLOCK < CHANGED_TOGETHER ? together : updated);
    }
    this.nextChange = now + pause();
  }

  private void add(Instant updated) {
    Instant created = updated.minusSeconds(random.nextLong(30 * 86_400));
    put(new Item(++lastId, created, updated, 1, random.nextInt(6), random.nextLong()));
  }

  private void put(Item item) {
    byId.put(item.id(), item);
    byUpdate.add(item);
  }

  private void remove(Item item) {
    byId.remove(item.id());
    byUpdate.remove(item);
  }

  private long pause() {
    return Math.round(-Math.log(1 - random.nextDouble()) * interval);
  }

  /** Lets happen what has happened by itself since the last time. */
  public void advance(long now, Instant wallClock) {
    if (interval == 0) {
      return;
    }
    for (int i = 0; nextChange - now <= 0; i++) {
      if (i == MOST_CAUGHT_UP) {
        nextChange = now;
      }
      Instant at = wallClock.minusNanos(now - nextChange);
      int kind = random.nextInt(20);
      mutate(kind < 12 ? Mutation.CHANGE : kind < 17 ? Mutation.ADD : Mutation.REMOVE, at);
      nextChange += Math.max(1, pause());
    }
  }

  /** Lets one item appear, or change or vanish if there is one; whether there was. */
  public boolean mutate(Mutation mutation, Instant wallClock) {
    Instant at = wallClock.truncatedTo(ChronoUnit.SECONDS);
    if (mutation == Mutation.ADD) {
      add(at);
      return true;
    }
    if (byId.isEmpty()) {
      return false;
    }
    Map.Entry<Long, Item> entry = byId.ceilingEntry(random.nextLong(lastId) + 1);
    Item item = entry == null ? byId.firstEntry().getValue() : entry.getValue();
    remove(item);
    if (mutation == Mutation.CHANGE) {
      put(item.changed(random.nextInt(4) == 0, at));
    }
    return true;
  }

  /** The item with this key, if it exists. */
  public Optional<Item> item(long id) {
    return Optional.ofNullable(byId.get(id));
  }

  /** Whether there was an item with this key, which has vanished. */
  public boolean isGone(long id) {
    return id >= 1 && id <= lastId && !byId.containsKey(id);
  }

  /** How many there are. */
  public int size() {
    return byId.size();
  }

  /** How many there are in a range. */
  public long size(Range range) {
    return range.since() == null && range.before() == null ? size() : ofRange(range).count();
  }

  /** Some of a range: those behind a place, from the beginning without one. */
  public List<Item> list(Range range, Optional<Place> behind, long skipped, int most) {
    List<Item> items = new ArrayList<>();
    Stream<Item> source = behind.map(place -> behind(range, place)).orElseGet(() -> ofRange(range));
    source.skip(skipped).limit(most).forEach(items::add);
    return items;
  }

  private Stream<Item> ofRange(Range range) {
    if (range.order() == Range.Order.ID) {
      return byId.values().stream().filter(range::contains);
    }
    NavigableSet<Item> items = byUpdate;
    if (range.since() != null) {
      items = items.tailSet(probe(range.since(), Long.MIN_VALUE), true);
    }
    if (range.before() != null) {
      Item end = probe(range.before(), Long.MIN_VALUE);
      return items.stream().takeWhile(item -> BY_UPDATE.compare(item, end) < 0);
    }
    return items.stream();
  }

  private Stream<Item> behind(Range range, Place place) {
    return range.order() == Range.Order.ID
        ? byId.tailMap(place.minor(), false).values().stream().filter(range::contains)
        : byUpdate
            .tailSet(probe(Instant.ofEpochSecond(place.major()), place.minor()), false)
            .stream()
            .filter(range::contains);
  }

  private static Item probe(Instant updated, long id) {
    return new Item(id, updated, updated, 0, 0, 0);
  }

  /** Where an item stands in a range. */
  public static Place place(Range range, Item item) {
    return new Place(
        range.order() == Range.Order.ID ? 0 : item.updated().getEpochSecond(), item.id());
  }

  /** What can happen to items. */
  public enum Mutation {
    /** One appears. */
    ADD,
    /** One changes. */
    CHANGE,
    /** One vanishes. */
    REMOVE
  }
}

package dev.sluice.arena;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What is to be played. Immutable; equal selections give equal results.
 *
 * @param worlds names of leagues; empty for all
 * @param scenarios names of scenarios, or {@code random N} for one drawn by chance; empty for all
 *     that have a name
 * @param policies names of entrants; empty for all
 * @param sizes of the jobs, at least one
 * @param seed the first seed of the chances in a bout
 * @param seeds how many seeds, from that one upwards; 1 to 1,000
 * @param random how many scenarios are drawn by chance for each league; 0 to 10,000
 * @param randomFrom the number of the first of them
 */
public record Selection(
    List<String> worlds,
    List<String> scenarios,
    List<String> policies,
    List<Size> sizes,
    long seed,
    int seeds,
    int random,
    long randomFrom) {

  /** Scenarios from this number on were never used to choose a policy's constants. */
  public static final long UNSEEN = 9_001;

  /** A quick look: scenarios with names, two sizes, one seed. */
  public static final Selection QUICK =
      new Selection(
          List.of(),
          List.of(),
          List.of(),
          List.of(new Size(3), new Size(2_000), Size.HOUR),
          1,
          1,
          0,
          UNSEEN);

  /** Everything that the committed report shows. */
  public static final Selection FULL =
      new Selection(
          List.of(),
          List.of(),
          List.of(),
          List.of(
              new Size(0.3),
              new Size(1),
              new Size(3),
              new Size(10),
              new Size(200),
              new Size(2_000),
              new Size(20_000),
              Size.HOUR),
          1,
          3,
          40,
          UNSEEN);

  /** The little of everything that the tests play again and compare. */
  public static final Selection GOLDEN =
      new Selection(
          List.of(),
          List.of(
              "one-server",
              "four-servers-three-users",
              "slower-after-ten-minutes",
              "bucket-429-with-retry-after",
              "minute-window-503",
              "silent-slow-down",
              "nothing-goes-wrong",
              "one-per-cent-of-objects-always-fail",
              "maintenance-of-three-minutes"),
          List.of(),
          List.of(new Size(1), new Size(2_000), Size.HOUR),
          1,
          1,
          1,
          UNSEEN);

  public Selection {
    worlds = List.copyOf(worlds);
    scenarios = scenarios.stream().map(Selection::slug).toList();
    policies = List.copyOf(policies);
    sizes = List.copyOf(sizes);
    if (sizes.isEmpty()) {
      throw new IllegalArgumentException("job is empty, but must name at least one size of job");
    }
    between("seeds", seeds, 1, 1_000, "how many seeds each bout is played with");
    between("random", random, 0, 10_000, "how many scenarios are drawn by chance");
  }

  private static void between(String name, int value, int least, int most, String meaning) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s is %d, but must lie between %d and %d (%s)"
              .formatted(name, value, least, most, meaning));
    }
  }

  /** A scenario's name as it is typed: {@code four-servers-three-users}. */
  public static String slug(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-").replaceAll("^-|-$", "");
  }

  /** Whether an entrant takes part. */
  public boolean isChosen(Entrant<?> entrant) {
    return policies.isEmpty() || policies.contains(entrant.name());
  }

  /** The command that plays it again. */
  public String command() {
    if (equals(FULL)) {
      return "./sluice arena --full";
    }
    if (equals(GOLDEN)) {
      return "./sluice arena --golden";
    }
    List<String> words = new ArrayList<>(List.of("./sluice arena"));
    if (!worlds.isEmpty()) {
      words.add("--world " + String.join(",", worlds));
    }
    scenarios.forEach(scenario -> words.add("--scenario " + scenario));
    if (!policies.isEmpty()) {
      words.add("--policy " + String.join(",", policies));
    }
    words.add("--job " + String.join(",", sizes.stream().map(Size::text).toList()));
    words.add("--seed " + seed);
    words.add("--seeds " + seeds);
    words.add("--random " + random);
    if (randomFrom != UNSEEN) {
      words.add("--random-from " + randomFrom);
    }
    return String.join(" ", words);
  }

  /** The same with other worlds. */
  public Selection withWorlds(List<String> value) {
    return new Selection(value, scenarios, policies, sizes, seed, seeds, random, randomFrom);
  }

  /** The same with other scenarios. */
  public Selection withScenarios(List<String> value) {
    return new Selection(worlds, value, policies, sizes, seed, seeds, random, randomFrom);
  }

  /** The same with other entrants. */
  public Selection withPolicies(List<String> value) {
    return new Selection(worlds, scenarios, value, sizes, seed, seeds, random, randomFrom);
  }

  /** The same with other sizes of jobs. */
  public Selection withSizes(List<Size> value) {
    return new Selection(worlds, scenarios, policies, value, seed, seeds, random, randomFrom);
  }

  /** The same with other seeds. */
  public Selection withSeeds(long first, int count) {
    return new Selection(worlds, scenarios, policies, sizes, first, count, random, randomFrom);
  }

  /** The same with other scenarios drawn by chance. */
  public Selection withRandom(int count, long from) {
    return new Selection(worlds, scenarios, policies, sizes, seed, seeds, count, from);
  }
}

package dev.sluice.arena;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds what a selection names. */
final class Names {
  private static final Pattern RANDOM = Pattern.compile("random-([0-9]{1,18})");

  private Names() {}

  /**
   * The leagues in which a selection leaves something to play.
   *
   * @throws UnknownNameException if it names a world, a scenario or a policy that none of them has
   * @throws IllegalArgumentException if what it names does not meet in any world
   */
  static List<League<?>> check(Selection selection, List<League<?>> all) {
    refuseUnknown("world", selection.worlds(), all.stream().map(League::name).toList());
    List<League<?>> chosen =
        all.stream()
            .filter(
                league ->
                    selection.worlds().isEmpty() || selection.worlds().contains(league.name()))
            .toList();
    Set<String> policies = new LinkedHashSet<>();
    Set<String> scenarios = new LinkedHashSet<>();
    for (League<?> league : chosen) {
      league.entrants().forEach(entrant -> policies.add(entrant.name()));
      scenarios.addAll(slugs(league));
    }
    refuseUnknown("policy", selection.policies(), List.copyOf(policies));
    refuseUnknown(
        "scenario",
        selection.scenarios().stream().filter(name -> !RANDOM.matcher(name).matches()).toList(),
        List.copyOf(scenarios));
    List<League<?>> playing =
        chosen.stream()
            .filter(league -> league.entrants().stream().anyMatch(selection::isChosen))
            .filter(league -> !scenarios(selection, league).isEmpty())
            .filter(league -> selection.sizes().stream().anyMatch(league::plays))
            .toList();
    if (playing.isEmpty()) {
      throw new IllegalArgumentException(
          "there is nothing to play: none of these policies (%s) is in a world with one of these scenarios (%s) and jobs of one of these sizes (%s)"
              .formatted(
                  String.join(", ", selection.policies()),
                  String.join(", ", selection.scenarios()),
                  String.join(", ", selection.sizes().stream().map(Size::text).toList())));
    }
    return playing;
  }

  private static void refuseUnknown(String kind, List<String> typed, List<String> known) {
    for (String name : typed) {
      if (!known.contains(name)) {
        throw new UnknownNameException(kind, name, known);
      }
    }
  }

  /** How a league's scenarios are typed. */
  static <S> List<String> slugs(League<S> league) {
    return league.named().stream()
        .map(scenario -> Selection.slug(league.venue(scenario).name()))
        .toList();
  }

  /** A league's scenarios that a selection means: those with names first, then those by chance. */
  static <S> List<S> scenarios(Selection selection, League<S> league) {
    List<S> chosen = new ArrayList<>();
    List<String> slugs = slugs(league);
    for (int i = 0; i < slugs.size(); i++) {
      if (selection.scenarios().isEmpty() || selection.scenarios().contains(slugs.get(i))) {
        chosen.add(league.named().get(i));
      }
    }
    Set<Long> numbers = new LinkedHashSet<>();
    for (String name : selection.scenarios()) {
      Matcher random = RANDOM.matcher(name);
      if (random.matches()) {
        numbers.add(Long.parseLong(random.group(1)));
      }
    }
    for (int i = 0; i < selection.random(); i++) {
      numbers.add(selection.randomFrom() + i);
    }
    numbers.forEach(number -> chosen.add(league.random(number)));
    return chosen;
  }
}

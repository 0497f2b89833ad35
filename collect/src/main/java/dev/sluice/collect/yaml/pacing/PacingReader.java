package dev.sluice.collect.yaml.pacing;

import dev.sluice.collect.yaml.document.Section;
import dev.sluice.collect.yaml.text.Condition;
import dev.sluice.collect.yaml.text.Rates;
import dev.sluice.collect.yaml.text.Spans;
import dev.sluice.control.pacing.PacerOptions;
import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.QuotaHint.Unit;
import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.Signal.Stopped;
import dev.sluice.gate.http.Dialect;
import dev.sluice.gate.http.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads {@code pacing}. */
public final class PacingReader {
  private static final double USUAL_CEILING = 20;
  private static final int USUAL_IN_FLIGHT = 4;
  private static final String ON_THE_CLOCK = "on-the-clock";

  private PacingReader() {}

  /** What a section says; nothing if there is none. */
  public static PacingRule read(Optional<Section> pacing) {
    if (pacing.isEmpty()) {
      return PacingRule.NONE;
    }
    try (Section section = pacing.get()) {
      Optional<Integer> inFlight = section.read("in-flight", PacingReader::count);
      Optional<PacerOptions> pace = pace(section, inFlight);
      Optional<Double> reserve = section.read("reserve", PacingReader::share);
      Optional<Duration> noHintWait = section.read("no-hint-wait", Spans::parse);
      List<Dialect> quota = new ArrayList<>();
      section.sections("quota").forEach(each -> quota.add(quota(each)));
      List<AnswerRule> answers = new ArrayList<>();
      section.sections("answers").forEach(each -> answer(each, quota).ifPresent(answers::add));
      return new PacingRule(pace, inFlight, reserve, noHintWait, quota, answers);
    }
  }

  private static Optional<PacerOptions> pace(Section section, Optional<Integer> inFlight) {
    Optional<Double> start = section.read("start", Rates::parse);
    Optional<Double> ceiling = section.read("ceiling", Rates::parse);
    Optional<Double> floor = section.read("floor", Rates::parse);
    Optional<Integer> burst = section.read("burst", PacingReader::count);
    if (start.isEmpty() && ceiling.isEmpty() && floor.isEmpty() && burst.isEmpty()) {
      return Optional.empty();
    }
    PacerOptions.Builder options =
        PacerOptions.builder()
            .maxInFlight(inFlight.orElse(USUAL_IN_FLIGHT))
            .ceiling(ceiling.orElse(Math.max(USUAL_CEILING, start.orElse(0.0))));
    PacerOptions.Builder built = start.map(options::coldStart).orElse(options);
    built = floor.isPresent() ? built.floor(floor.get()) : built;
    built = burst.isPresent() ? built.burst(burst.get()) : built;
    try {
      return Optional.of(built.build());
    } catch (IllegalArgumentException e) {
      section.mistakes().add(section.line(), String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private static Dialect quota(Section section) {
    try (section) {
      Optional<Told> usedOf = section.read("used-of", Told::parse);
      if (usedOf.isPresent() && usedOf.get().header() == null) {
        section.mistake("used-of", "stands in the body, but a header such as 32/40 is expected");
      }
      Optional<String> window = section.text("window");
      boolean onTheClock = window.filter(text -> text.contains(ON_THE_CLOCK)).isPresent();
      Optional<Duration> length =
          window.flatMap(
              text ->
                  section.read(
                      "window",
                      text.replaceFirst("\\s+" + ON_THE_CLOCK + "(\\s+UTC)?$", ""),
                      Spans::parse));
      QuotaRule rule =
          new QuotaRule(
              section.read("limit", Told::parse),
              section.read("remaining", Told::parse),
              section.read("used", Told::parse),
              usedOf,
              section.read("reset", Told::parse),
              section.read("pool", Told::parse),
              length,
              onTheClock,
              section.read("leak", Rates::parse),
              section
                  .word("unit", words(Unit.values()))
                  .map(word -> Unit.valueOf(constant(word)))
                  .orElse(Unit.REQUESTS));
      if (rule.limit().isEmpty()
          && rule.remaining().isEmpty()
          && rule.used().isEmpty()
          && usedOf.isEmpty()
          && rule.reset().isEmpty()) {
        section
            .mistakes()
            .add(
                section.line(),
                section.path()
                    + " tells nothing; limit, remaining, used, used-of or reset is expected");
      }
      return rule;
    }
  }

  private static Optional<AnswerRule> answer(Section section, List<Dialect> quota) {
    try (section) {
      Optional<Condition> when =
          section.required("when", "for which answers, such as status == 430").isPresent()
              ? section.read("when", PacingReader::when)
              : Optional.empty();
      Optional<String> mean =
          section.required("mean", "what they mean, such as throttled").isPresent()
              ? section.word("mean", AnswerRule.Meaning.words())
              : Optional.empty();
      Optional<Reach> reach =
          section
              .word("reach", Arrays.stream(Reach.values()).map(PacingReader::word).toList())
              .map(PacingReader::reach);
      Optional<Told> wait = section.read("wait", Told::parse);
      Optional<Duration> atLeast = section.read("wait-at-least", Spans::parse);
      Stopped.Reason because =
          section
              .word("because", words(Stopped.Reason.values()))
              .map(word -> Stopped.Reason.valueOf(constant(word)))
              .orElse(Stopped.Reason.SUSPENDED);
      String say = section.text("say").orElse("");
      boolean throttles = mean.filter("throttled"::equals).isPresent();
      if ((wait.isPresent() || atLeast.isPresent()) && mean.isPresent() && !throttles) {
        section.mistake("mean", "is %s, but only throttled can have a wait".formatted(mean.get()));
      }
      if (section.has("reach") && mean.isPresent() && !throttles) {
        section.mistake("reach", "is for mean: throttled alone");
      }
      if (section.has("because") && mean.filter("stop"::equals).isEmpty()) {
        section.mistake("because", "is for mean: stop alone");
      }
      return when.flatMap(
          condition ->
              mean.map(
                  word ->
                      new AnswerRule(
                          condition,
                          AnswerRule.Meaning.named(word),
                          wait,
                          atLeast,
                          reach,
                          because,
                          say,
                          usual(quota))));
    }
  }

  /** What files call whom a limit reaches. */
  private static String word(Reach reach) {
    return switch (reach) {
      case OBJECT -> "object";
      case ROUTE -> "route";
      case RESOURCE_POOL -> "pool";
      case CREDENTIAL -> "credential";
      case ACCOUNT -> "account";
      case IP -> "address";
      case PROVIDER -> "provider";
    };
  }

  private static Reach reach(String word) {
    return Arrays.stream(Reach.values())
        .filter(reach -> word(reach).equals(word))
        .findFirst()
        .orElseThrow();
  }

  private static Signals usual(List<Dialect> quota) {
    Signals.Builder builder = Signals.builder().when(answer -> true, Signal.throttled());
    for (Dialect dialect : quota) {
      builder = builder.dialect(dialect);
    }
    return builder.build();
  }

  private static Condition when(String text) {
    Condition condition = Condition.parse(text);
    for (String path : condition.paths()) {
      if (!AnswerFacts.knows(path)) {
        throw new IllegalArgumentException(
            "but it can only ask for status, header.NAME, body and body.MEMBER, not for " + path);
      }
    }
    return condition;
  }

  private static int count(String text) {
    if (!text.matches("[1-9][0-9]{0,3}")) {
      throw new IllegalArgumentException("but a whole number from 1 to 9,999 is expected");
    }
    return Integer.parseInt(text);
  }

  private static double share(String text) {
    if (!text.matches("[0-9]{1,2}(\\.[0-9]+)?%")) {
      throw new IllegalArgumentException("but a share such as 20% is expected");
    }
    return Double.parseDouble(text.substring(0, text.length() - 1)) / 100;
  }

  private static List<String> words(Enum<?>[] constants) {
    return Arrays.stream(constants)
        .map(constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .toList();
  }

  private static String constant(String word) {
    return word.toUpperCase(Locale.ROOT).replace('-', '_');
  }
}

package dev.sluice.collect.yaml.pacing;

import dev.sluice.collect.yaml.pacing.AnswerRule.Meaning;
import dev.sluice.collect.yaml.text.Condition;
import dev.sluice.config.Durations;
import dev.sluice.config.Rates;
import dev.sluice.config.Section;
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
import java.util.Optional;

/** Reads {@code pacing}. */
public final class PacingReader {
  private static final double USUAL_CEILING = 20;
  private static final int USUAL_IN_FLIGHT = 4;
  private static final int MOST = 9_999;
  private static final String ON_THE_CLOCK = "on-the-clock";

  private PacingReader() {}

  /** What a section says; nothing if there is none. */
  public static PacingRule read(Optional<Section> pacing) {
    if (pacing.isEmpty()) {
      return PacingRule.NONE;
    }
    try (Section section = pacing.get()) {
      Optional<Integer> inFlight = section.integer("in-flight", 1, MOST);
      Optional<PacerOptions> pace = pace(section, inFlight);
      Optional<Double> reserve = section.read("reserve", PacingReader::share);
      Optional<Duration> noHintWait = section.read("no-hint-wait", Durations::parsePositive);
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
    Optional<Integer> burst = section.integer("burst", 1, MOST);
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
      section.reading().mistake(section.line(), String.valueOf(e.getMessage()));
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
                  section.parse(
                      "window",
                      text.replaceFirst("\\s+" + ON_THE_CLOCK + "(\\s+UTC)?$", ""),
                      Durations::parsePositive));
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
              section.word("unit", Unit.class).orElse(Unit.REQUESTS));
      if (rule.limit().isEmpty()
          && rule.remaining().isEmpty()
          && rule.used().isEmpty()
          && usedOf.isEmpty()
          && rule.reset().isEmpty()) {
        section
            .reading()
            .mistake(
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
          section.required("when", "for which answers, such as status == 430", PacingReader::when);
      if (!section.has("mean")) {
        section.missing("mean", "what they mean, such as throttled");
      }
      Optional<Meaning> mean = section.word("mean", Meaning.class);
      Optional<Reach> reach =
          section
              .word("reach", Arrays.stream(Reach.values()).map(PacingReader::word).toList())
              .map(PacingReader::reach);
      Optional<Told> wait = section.read("wait", Told::parse);
      Optional<Duration> atLeast = section.read("wait-at-least", Durations::parsePositive);
      Stopped.Reason because =
          section.word("because", Stopped.Reason.class).orElse(Stopped.Reason.SUSPENDED);
      String say = section.text("say").orElse("");
      boolean throttles = mean.filter(Meaning.THROTTLED::equals).isPresent();
      if ((wait.isPresent() || atLeast.isPresent()) && mean.isPresent() && !throttles) {
        section.mistake(
            "mean", "is %s, but only throttled can have a wait".formatted(mean.get().word()));
      }
      if (section.has("reach") && mean.isPresent() && !throttles) {
        section.mistake("reach", "is for mean: throttled alone");
      }
      if (section.has("because") && mean.filter(Meaning.STOP::equals).isEmpty()) {
        section.mistake("because", "is for mean: stop alone");
      }
      return when.flatMap(
          condition ->
              mean.map(
                  word ->
                      new AnswerRule(
                          condition, word, wait, atLeast, reach, because, say, usual(quota))));
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

  private static double share(String text) {
    if (!text.matches("[0-9]{1,2}(\\.[0-9]+)?%")) {
      throw new IllegalArgumentException("but a share such as 20% is expected");
    }
    return Double.parseDouble(text.substring(0, text.length() - 1)) / 100;
  }
}

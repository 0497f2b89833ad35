package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.yaml.request.Spot;
import dev.sluice.collect.yaml.text.Condition;
import dev.sluice.config.Durations;
import dev.sluice.config.Section;
import java.time.Duration;
import java.time.temporal.TemporalAmount;
import java.util.List;
import java.util.Optional;

/** Reads {@code slices} of a stream. */
final class WindowReader {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DAY = Duration.ofDays(1);

  Optional<WindowRule> read(Section stream, Optional<CursorRule> cursor) {
    Optional<TemporalAmount> steady =
        stream.section("steady").flatMap(section -> section.read("window", Durations::parseWindow));
    if (!stream.has("slices") && steady.isPresent()) {
      stream.mistake("steady", "has a window, but the stream has no slices");
    }
    Duration overlap = cursor.flatMap(CursorRule::overlap).orElse(Duration.ZERO);
    return stream.section("slices").flatMap(section -> rule(section, steady, overlap));
  }

  private static Optional<WindowRule> rule(
      Section section, Optional<TemporalAmount> steady, Duration overlap) {
    try (section) {
      Optional<String> by =
          section.required("by", "the member that says into which window a record falls");
      Optional<TemporalAmount> length =
          section.required("window", "how long one is, such as 7d", Durations::parseWindow);
      Duration settle = section.read("settle", Durations::parsePositive).orElse(Duration.ZERO);
      Duration reread = settle.compareTo(overlap) > 0 ? settle : overlap;
      Optional<Condition> shrink = section.read("shrink-when", WindowReader::shrinkWhen);
      Optional<Section> bounds =
          section.requiredSection("bounds", "how a request says where a window lies");
      if (bounds.isEmpty()) {
        return Optional.empty();
      }
      try (Section within = bounds.get()) {
        Optional<Spot> from = spot(within, "from");
        Optional<Spot> to = spot(within, "to");
        boolean inclusive =
            within
                .word("to-is", List.of("inclusive", "exclusive"))
                .filter("inclusive"::equals)
                .isPresent();
        WindowRule.Format format =
            within.word("format", WindowRule.Format.class).orElse(WindowRule.Format.INSTANT);
        boolean epoch =
            format == WindowRule.Format.EPOCH_SECONDS || format == WindowRule.Format.EPOCH_MILLIS;
        boolean days = format == WindowRule.Format.DATE;
        Duration step = within.read("step", Durations::parsePositive).orElse(days ? DAY : SECOND);
        if (days && step.compareTo(DAY) < 0) {
          within.mistake("step", "is shorter than a day, but dates are whole days");
        }
        if (by.isEmpty() || length.isEmpty() || from.isEmpty() || to.isEmpty()) {
          return Optional.empty();
        }
        return Optional.of(
            new WindowRule(
                by.get(),
                length.get(),
                steady.orElse(length.get()),
                epoch ? from.get().forNumbers() : from.get(),
                epoch ? to.get().forNumbers() : to.get(),
                inclusive,
                step,
                format,
                reread,
                shrink));
      }
    }
  }

  private static Optional<Spot> spot(Section section, String key) {
    return section.required(
        key, "where in the request it goes, such as 'query date_from'", Spot::parse);
  }

  private static Condition shrinkWhen(String text) {
    Condition condition = Condition.parse(text);
    for (String path : condition.paths()) {
      if (!path.equals("pages") && !path.startsWith("$")) {
        throw new IllegalArgumentException(
            "but it can only ask for pages and for paths such as $.meta.total");
      }
    }
    return condition;
  }
}

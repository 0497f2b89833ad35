package dev.sluice.collect.yaml.check;

import dev.sluice.collect.yaml.check.CheckRule.Expected;
import dev.sluice.collect.yaml.check.CheckRule.Scripted;
import dev.sluice.config.Node;
import dev.sluice.config.Section;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.run.Reason;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code checks} of a connector file. */
public final class CheckReader {
  private static final Pattern SCRIPTED = Pattern.compile("([1-5][0-9][0-9])(?:\\s+(\\S.*))?");

  private static final int MOST = 999_999_999;

  private final Map<String, List<String>> streams;

  /**
   * Reads for a file.
   *
   * @param streams the streams that are listed, each with its details
   */
  public CheckReader(Map<String, List<String>> streams) {
    this.streams = Map.copyOf(streams);
  }

  /** All checks of a file. */
  public List<CheckRule> read(Section root) {
    List<CheckRule> checks = new ArrayList<>();
    root.sections("checks").forEach(section -> check(section).ifPresent(checks::add));
    return checks;
  }

  private Optional<CheckRule> check(Section section) {
    try (section) {
      Optional<String> name = section.required("name", "the rule that it states");
      Optional<String> stream =
          section.required("stream", "which stream is read").isPresent()
              ? section.word("stream", streams.keySet().stream().sorted().toList())
              : Optional.empty();
      List<String> details = details(section, stream);
      Mode mode = section.word("mode", Mode.class).orElse(Mode.STEADY);
      Map<String, String> config = config(section);
      Optional<Instant> now = section.read("now", CheckReader::time);
      Optional<String> cursor = section.text("cursor");
      List<Scripted> script = script(section);
      Expected expected = expected(section);
      return name.flatMap(
          word ->
              stream.map(
                  of ->
                      new CheckRule(
                          word, of, details, mode, config, now, cursor, script, expected)));
    }
  }

  private List<String> details(Section section, Optional<String> stream) {
    List<String> known = stream.map(streams::get).orElse(List.of());
    return section.list(
        "details",
        text -> {
          if (stream.isPresent() && !known.contains(text)) {
            throw new IllegalArgumentException(
                known.isEmpty()
                    ? "but %s has no details".formatted(stream.get())
                    : section
                        .reading()
                        .instead(
                            "which are no details of %s".formatted(stream.get()), text, known));
          }
          return text;
        });
  }

  private static Map<String, String> config(Section check) {
    Map<String, String> config = new LinkedHashMap<>();
    check
        .section("config")
        .ifPresent(
            values ->
                values
                    .names()
                    .forEach(key -> values.text(key).ifPresent(text -> config.put(key, text))));
    return config;
  }

  private List<Scripted> script(Section section) {
    List<Scripted> script = new ArrayList<>();
    List<Node> nodes = section.nodes("script");
    if (nodes.isEmpty()) {
      section.missing("script", "what the provider answers");
    }
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i) instanceof Node.Scalar scalar) {
        section.parse("script", scalar.text(), CheckReader::scripted).ifPresent(script::add);
      } else {
        String path = "%s[%d]".formatted(section.at("script"), i);
        script.add(scripted(Section.of(nodes.get(i), path, section.reading())));
      }
    }
    return script;
  }

  private static Scripted scripted(String text) {
    Matcher matcher = SCRIPTED.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "but a status and the file with its body, such as '200 page-1.json', is expected");
    }
    return new Scripted(
        List.of(),
        Integer.parseInt(matcher.group(1)),
        Optional.ofNullable(matcher.group(2)),
        "",
        List.of());
  }

  private static Scripted scripted(Section section) {
    try (section) {
      List<String> headers = new ArrayList<>();
      section
          .section("headers")
          .ifPresent(
              fields -> {
                for (String name : fields.names()) {
                  headers.add(name);
                  headers.add(fields.text(name).orElse(""));
                }
              });
      return new Scripted(
          section.list("asked", text -> text),
          section.integer("status", 0, MOST).orElse(200),
          section.text("file"),
          section.text("body").orElse(""),
          headers);
    }
  }

  private Expected expected(Section check) {
    Optional<Section> expect = check.requiredSection("expect", "what has to come of it");
    if (expect.isEmpty()) {
      return Expected.NOTHING;
    }
    try (Section section = expect.get()) {
      Expected expected =
          new Expected(
              section.integer("records", 0, MOST),
              section.integer("details", 0, MOST),
              section.integer("gaps", 0, MOST),
              section.integer("gone", 0, MOST),
              section.integer("requests", 0, MOST),
              section.integer("throttled", 0, MOST),
              section.text("cursor"),
              section.word(
                  "fails", Arrays.stream(Reason.Failure.values()).map(Reason::wireName).toList()));
      for (String key : List.of("details", "gaps", "gone")) {
        if (section.has(key) && !check.has("details")) {
          section.mistake(key, "is expected, but the check does not say which details are read");
        }
      }
      return expected;
    }
  }

  private static Instant time(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("but a time such as 2024-01-31T12:00:00Z is expected", e);
    }
  }
}

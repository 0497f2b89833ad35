package dev.sluice.collect.yaml.check;

import dev.sluice.collect.yaml.document.Node;
import dev.sluice.collect.yaml.document.Section;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.run.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A test of one stream, as a file declares it. Immutable.
 *
 * @param config what is configured for it; made up where it says nothing
 * @param cursor where the stream stands before; empty for the beginning
 * @param script the provider's answers, one after the other
 */
public record CheckRule(
    String name,
    String stream,
    Mode mode,
    Map<String, String> config,
    Optional<String> cursor,
    List<Scripted> script,
    Expected expected) {
  private static final Pattern SCRIPTED = Pattern.compile("([1-5][0-9][0-9])(?:\\s+(\\S.*))?");

  public CheckRule {
    config = Map.copyOf(config);
    script = List.copyOf(script);
  }

  /**
   * One answer.
   *
   * @param file with its body, beside the connector file; empty for a body as written
   * @param headers names and values in turn
   */
  public record Scripted(int status, Optional<String> file, String body, List<String> headers) {
    public Scripted {
      headers = List.copyOf(headers);
    }
  }

  /**
   * What has to come of it; what is empty is not looked at.
   *
   * @param fails with which reason the reading ends
   */
  public record Expected(
      Optional<Integer> records,
      Optional<Integer> requests,
      Optional<Integer> throttled,
      Optional<String> cursor,
      Optional<String> fails) {}

  /**
   * Reads {@code checks}.
   *
   * @param streams the streams that are listed
   */
  public static List<CheckRule> read(Section root, List<String> streams) {
    List<CheckRule> checks = new ArrayList<>();
    for (Section section : root.sections("checks")) {
      try (section) {
        Optional<String> name = section.required("name", "the rule that it states");
        Optional<String> stream =
            section.required("stream", "which stream is read").isPresent()
                ? section.word("stream", streams)
                : Optional.empty();
        Mode mode =
            section
                .word("mode", List.of("steady", "catch-up"))
                .filter("catch-up"::equals)
                .map(word -> Mode.CATCH_UP)
                .orElse(Mode.STEADY);
        Map<String, String> config = new LinkedHashMap<>();
        section
            .section("config")
            .ifPresent(
                values ->
                    values
                        .names()
                        .forEach(key -> values.text(key).ifPresent(text -> config.put(key, text))));
        Optional<String> cursor = section.text("cursor");
        List<Scripted> script = script(section);
        Expected expected = expected(section);
        if (name.isPresent() && stream.isPresent()) {
          checks.add(
              new CheckRule(name.get(), stream.get(), mode, config, cursor, script, expected));
        }
      }
    }
    return checks;
  }

  private static List<Scripted> script(Section section) {
    List<Scripted> script = new ArrayList<>();
    List<Node> nodes = section.nodes("script");
    if (nodes.isEmpty()) {
      section
          .mistakes()
          .add(section.line(), section.at("script") + " is missing (what the provider answers)");
    }
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i) instanceof Node.Scalar scalar) {
        section.read("script", scalar.text(), CheckRule::scripted).ifPresent(script::add);
      } else {
        String path = "%s[%d]".formatted(section.at("script"), i);
        script.add(scripted(Section.of(nodes.get(i), path, section.mistakes())));
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
        Integer.parseInt(matcher.group(1)), Optional.ofNullable(matcher.group(2)), "", List.of());
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
          section.read("status", CheckRule::whole).orElse(200),
          section.text("file"),
          section.text("body").orElse(""),
          headers);
    }
  }

  private static Expected expected(Section check) {
    return check
        .section("expect")
        .map(
            section -> {
              try (section) {
                return new Expected(
                    section.read("records", CheckRule::whole),
                    section.read("requests", CheckRule::whole),
                    section.read("throttled", CheckRule::whole),
                    section.text("cursor"),
                    section.word(
                        "fails",
                        Arrays.stream(Reason.Failure.values()).map(Reason::wireName).toList()));
              }
            })
        .orElseGet(
            () -> {
              check
                  .mistakes()
                  .add(check.line(), check.at("expect") + " is missing (what has to come of it)");
              return new Expected(
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty());
            });
  }

  private static int whole(String text) {
    if (!text.matches("[0-9]{1,9}")) {
      throw new IllegalArgumentException("but a whole number is expected");
    }
    return Integer.parseInt(text);
  }
}

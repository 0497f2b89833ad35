package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.select.JsonPath;
import dev.sluice.collect.yaml.config.ConfigRules;
import dev.sluice.collect.yaml.document.Section;
import dev.sluice.collect.yaml.paging.Pages;
import dev.sluice.collect.yaml.paging.PagesReader;
import dev.sluice.collect.yaml.request.RecordKey;
import dev.sluice.collect.yaml.stream.StreamRule.CatchUp;
import dev.sluice.collect.yaml.text.Condition;
import dev.sluice.collect.yaml.text.Spans;
import dev.sluice.collect.yaml.text.Template;
import dev.sluice.collect.yaml.text.Template.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one stream of a connector file. */
public final class StreamReader {
  private static final Duration USUAL_INTERVAL = Duration.ofHours(1);
  private static final List<Integer> USUALLY_GONE = List.of(404, 410);
  private static final List<String> FOR_LISTS = List.of("split", "slices", "catch-up", "steady");
  private static final Pattern REDO_WHEN = Pattern.compile("parent\\.([A-Za-z0-9_.-]+)\\s+changes");
  private static final List<String> FOR_DETAILS = List.of("only-if", "redo-when", "on-miss");

  private final ConfigRules config;
  private final PagesReader pagesReader;

  /**
   * Reads for a provider.
   *
   * @param hidden the query parameter that proves who asks; empty for none
   */
  public StreamReader(ConfigRules config, String hidden) {
    this.config = config;
    this.pagesReader = new PagesReader(hidden);
  }

  /** A stream; empty if so much is wrong that there is none. */
  public Optional<StreamRule> read(String name, Section stream) {
    try (stream) {
      Optional<String> parent = stream.text("for-each");
      (parent.isPresent() ? FOR_LISTS : FOR_DETAILS)
          .forEach(key -> refuse(stream, key, parent.isPresent()));
      Scope[] scopes =
          parent.isPresent() ? new Scope[] {Scope.PARENT, Scope.SPLIT} : scopes(stream);
      Optional<CursorRule> cursor = new CursorReader().read(stream);
      Pages pages = pagesReader.read(stream, "pages");
      RecordForm form = form(stream, cursor, scopes);
      Optional<WindowRule> window = new WindowReader().read(stream, cursor);
      Optional<CatchUp> catchUp = catchUp(stream);
      StreamChecks.check(stream, pages, cursor, window, catchUp, parent.isPresent());
      JsonPath records = stream.read("records", JsonPath::parse).orElse(JsonPath.parse("$[*]"));
      Optional<Template> path = path(stream, scopes);
      Map<String, Template> query = templates(stream, "query", scopes);
      Map<String, Template> headers = templates(stream, "headers", scopes);
      Optional<SplitRule> split = split(stream);
      Duration interval = interval(stream);
      Optional<Condition> onlyIf = stream.read("only-if", StreamReader::onlyIf);
      Optional<String> redoWhen = redoWhen(stream);
      List<Integer> gone = gone(stream);
      return path.map(
          get ->
              new StreamRule(
                  name, get, query, headers, records, form, pages, split, window, catchUp, interval,
                  parent, onlyIf, redoWhen, gone));
    }
  }

  private static void refuse(Section stream, String key, boolean details) {
    if (stream.has(key)) {
      stream.mistake(
          key,
          details
              ? "is for streams that are listed, but this one has for-each"
              : "is for details, but this stream has no for-each");
    }
  }

  private static Scope[] scopes(Section stream) {
    return stream.has("split") ? new Scope[] {Scope.SPLIT} : new Scope[0];
  }

  private Optional<Template> path(Section stream, Scope... scopes) {
    Optional<String> unused = stream.required("get", "the path, such as /items");
    return config
        .template(stream, "get", scopes)
        .filter(
            path -> {
              boolean rooted = path.toString().startsWith("/");
              if (!rooted) {
                stream.mistake(
                    "get", "is '%s', but a path that begins with / is expected".formatted(path));
              }
              return rooted;
            });
  }

  private Map<String, Template> templates(Section stream, String key, Scope... scopes) {
    Map<String, Template> templates = new LinkedHashMap<>();
    stream
        .section(key)
        .ifPresent(
            section -> {
              for (String name : section.names()) {
                config
                    .template(section, name, scopes)
                    .ifPresent(template -> templates.put(name, template));
              }
            });
    return templates;
  }

  private RecordForm form(Section stream, Optional<CursorRule> cursor, Scope... scopes) {
    List<String> key = stream.list("key", text -> text);
    List<String> hide = stream.list("hide", text -> text);
    for (String hidden : hide) {
      if (key.contains(hidden)
          || cursor.map(CursorRule::field).filter(hidden::equals).isPresent()) {
        stream.mistake("hide", "hides %s, which the stream needs".formatted(hidden));
      }
    }
    return new RecordForm(
        new RecordKey(key),
        cursor,
        stream.read("drop-if", Condition::parse),
        templates(stream, "add", scopes),
        hide);
  }

  private Optional<SplitRule> split(Section stream) {
    return stream
        .section("split")
        .flatMap(
            section -> {
              List<String> names = section.names();
              if (names.size() != 1) {
                stream.mistake(
                    "split", "has %d names, but one is expected".formatted(names.size()));
                return Optional.empty();
              }
              String name = names.getFirst();
              List<Template> values = new ArrayList<>();
              for (String text : section.list(name, text -> text)) {
                config.template(section, name, text, false).ifPresent(values::add);
              }
              return Optional.of(new SplitRule(name, values));
            });
  }

  private Optional<CatchUp> catchUp(Section stream) {
    return stream
        .section("catch-up")
        .map(
            section -> {
              try (section) {
                boolean newestFirst =
                    section
                        .word("order", List.of("oldest-first", "newest-first"))
                        .filter("newest-first"::equals)
                        .isPresent();
                return new CatchUp(config.template(section, "from"), newestFirst);
              }
            });
  }

  private static Duration interval(Section stream) {
    return stream
        .section("steady")
        .flatMap(
            section -> {
              try (section) {
                boolean unused = section.has("window"); // read with the slices
                return section.read("every", Spans::parse);
              }
            })
        .orElse(USUAL_INTERVAL);
  }

  private static Condition onlyIf(String text) {
    Condition condition = Condition.parse(text);
    for (String path : condition.paths()) {
      if (!path.startsWith("parent.")) {
        throw new IllegalArgumentException(
            "but it can only ask for members of the parent, such as parent.%s".formatted(path));
      }
    }
    return condition;
  }

  private static Optional<String> redoWhen(Section stream) {
    return stream.read(
        "redo-when",
        text -> {
          Matcher matcher = REDO_WHEN.matcher(text.strip());
          if (!matcher.matches()) {
            throw new IllegalArgumentException(
                "but 'parent.MEMBER changes' is expected, with what changes when details do");
          }
          return matcher.group(1);
        });
  }

  private static List<Integer> gone(Section stream) {
    return stream
        .section("on-miss")
        .map(
            section -> {
              try (section) {
                Optional<String> unused = section.word("others", List.of("gap"));
                return section.has("gone")
                    ? section.list("gone", StreamReader::status)
                    : USUALLY_GONE;
              }
            })
        .orElse(USUALLY_GONE);
  }

  private static Integer status(String text) {
    if (!text.matches("[1-5][0-9][0-9]")) {
      throw new IllegalArgumentException("but a status such as 404 is expected");
    }
    return Integer.valueOf(text);
  }
}

package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.select.JsonPath;
import dev.sluice.collect.yaml.config.ConfigRules;
import dev.sluice.collect.yaml.paging.Pages;
import dev.sluice.collect.yaml.paging.PagesReader;
import dev.sluice.collect.yaml.request.RecordKey;
import dev.sluice.collect.yaml.stream.CursorReader.Cursors;
import dev.sluice.collect.yaml.stream.StreamRule.CatchUp;
import dev.sluice.collect.yaml.text.Condition;
import dev.sluice.collect.yaml.text.Template;
import dev.sluice.collect.yaml.text.Template.Scope;
import dev.sluice.config.Durations;
import dev.sluice.config.Section;
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
  private static final List<String> FOR_LISTS =
      List.of("split", "slices", "catch-up", "steady", "retention");
  private static final Pattern REDO_WHEN = Pattern.compile("parent\\.([A-Za-z0-9_.-]+)\\s+changes");
  private static final List<String> FOR_DETAILS = List.of("only-if", "redo-when", "on-miss");

  private final ConfigRules config;
  private final RequestReader requests;
  private final PagesReader pagesReader;

  /**
   * Reads for a provider.
   *
   * @param hidden the query parameter that proves who asks; empty for none
   */
  public StreamReader(ConfigRules config, String hidden) {
    this.config = config;
    this.requests = new RequestReader(config);
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
      Cursors cursors = new CursorReader(requests, scopes).read(stream);
      Optional<CursorRule> cursor = cursors.field();
      Pages pages = pagesReader.read(stream, "pages");
      RecordForm form = form(stream, cursor, scopes);
      Optional<WindowRule> window = new WindowReader().read(stream, cursor);
      Optional<CatchUp> catchUp = catchUp(stream);
      StreamChecks.check(stream, pages, cursor, window, catchUp, parent.isPresent());
      cursors
          .token()
          .ifPresent(token -> StreamChecks.checkToken(stream, pages, parent.isPresent()));
      JsonPath records = stream.read("records", JsonPath::parse).orElse(JsonPath.parse("$[*]"));
      Optional<RequestRule> request = requests.read(stream, scopes);
      Optional<SplitRule> split = split(stream);
      if (parent.isEmpty() && request.isPresent()) {
        checkNames(stream, split, request.get());
      }
      Duration interval = interval(stream);
      Optional<Duration> retention = stream.read("retention", Durations::parsePositive);
      if (retention.isPresent() && parent.isEmpty()) {
        StreamChecks.checkRetention(stream, cursor, window);
      }
      Optional<Condition> onlyIf = stream.read("only-if", StreamReader::onlyIf);
      Optional<String> redoWhen = redoWhen(stream);
      List<Integer> gone = gone(stream);
      return request.map(
          asking ->
              new StreamRule(
                  name,
                  asking,
                  records,
                  form,
                  cursors.token(),
                  pages,
                  split,
                  window,
                  catchUp,
                  interval,
                  retention,
                  parent,
                  onlyIf,
                  redoWhen,
                  gone));
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
        requests.templates(stream, "add", scopes),
        hide);
  }

  private Optional<SplitRule> split(Section stream) {
    return stream
        .section("split")
        .map(
            section -> {
              Map<String, List<Template>> dimensions = new LinkedHashMap<>();
              for (String name : section.names()) {
                List<Template> values = new ArrayList<>();
                for (String text : section.list(name, text -> text)) {
                  config.template(section, name, text, false).ifPresent(values::add);
                }
                dimensions.put(name, values);
              }
              return new SplitRule(dimensions);
            });
  }

  /** Which parts there are is known only once the file is read, but what they are called is not. */
  private static void checkNames(Section stream, Optional<SplitRule> split, RequestRule request) {
    for (Template template : request.templates()) {
      for (Template.Reference reference : template.references()) {
        if (reference.scope() == Scope.SPLIT
            && split.isPresent()
            && !split.get().names().contains(reference.name())) {
          stream.mistake(
              "split",
              stream
                  .reading()
                  .instead(
                      "has no %s, which %s asks for".formatted(reference.name(), template),
                      reference.name(),
                      split.get().names()));
        }
      }
    }
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
                return section.read("every", Durations::parsePositive);
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

  /** A status, read. */
  static Integer status(String text) {
    if (!text.matches("[1-5][0-9][0-9]")) {
      throw new IllegalArgumentException("but a status such as 404 is expected");
    }
    return Integer.valueOf(text);
  }
}

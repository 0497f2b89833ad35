package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.yaml.request.Source;
import dev.sluice.collect.yaml.request.Spot;
import dev.sluice.collect.yaml.text.Template;
import dev.sluice.collect.yaml.text.Template.Scope;
import dev.sluice.config.Durations;
import dev.sluice.config.Section;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads {@code cursor} of a stream: a member of its records, a token of the provider's, or both.
 */
final class CursorReader {
  private static final List<Integer> USUALLY_EXPIRED = List.of(410);

  private final RequestReader requests;
  private final Scope[] scopes;

  CursorReader(RequestReader requests, Scope... scopes) {
    this.requests = requests;
    this.scopes = scopes.clone();
  }

  /** What there is of both. */
  record Cursors(Optional<CursorRule> field, Optional<TokenRule> token) {
    static final Cursors NONE = new Cursors(Optional.empty(), Optional.empty());
  }

  Cursors read(Section stream) {
    Optional<Section> cursor = stream.section("cursor");
    if (cursor.isEmpty()) {
      return Cursors.NONE;
    }
    try (Section section = cursor.get()) {
      boolean token = section.has("token");
      return new Cursors(
          token && !section.has("field") ? Optional.empty() : field(section, token),
          token ? token(section) : Optional.empty());
    }
  }

  private static Optional<CursorRule> field(Section section, boolean token) {
    Optional<String> field =
        section.required("field", "the member that grows when a record changes");
    CursorType type = section.word("as", CursorType.class).orElse(CursorType.TEXT);
    if (token) {
      return field.map(name -> new CursorRule(name, type, Optional.empty(), Optional.empty()));
    }
    Optional<Spot> ask =
        section.read("ask", Spot::parse).map(spot -> type.isNumber() ? spot.forNumbers() : spot);
    Optional<Duration> overlap = section.read("overlap", Durations::parsePositive);
    if (overlap.isPresent() && !type.isTime()) {
      section.mistake("overlap", "needs a cursor that is a time; cursor.as says which kind");
    }
    return field.map(name -> new CursorRule(name, type, ask, overlap));
  }

  private Optional<TokenRule> token(Section section) {
    Optional<Source> source = section.read("token", Source::parse);
    Optional<Spot> ask =
        section.required(
            "ask", "where in the request the token goes, such as 'query sync'", Spot::parse);
    if (section.has("overlap")) {
      section.mistake("overlap", "goes by values, but this cursor is a token");
    }
    List<Integer> expired =
        section.has("expired") ? section.list("expired", StreamReader::status) : USUALLY_EXPIRED;
    boolean startsAnew =
        section
            .word("when-expired", List.of("fail", "start-anew"))
            .filter("start-anew"::equals)
            .isPresent();
    Map<String, Template> begin = requests.templates(section, "begin", scopes);
    return source.flatMap(
        from -> ask.map(to -> new TokenRule(from, to, begin, expired, startsAnew)));
  }
}

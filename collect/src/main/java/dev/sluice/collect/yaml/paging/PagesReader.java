package dev.sluice.collect.yaml.paging;

import dev.sluice.collect.select.JsonPath;
import dev.sluice.collect.yaml.request.Source;
import dev.sluice.collect.yaml.request.Spot;
import dev.sluice.collect.yaml.text.Condition;
import dev.sluice.config.Node;
import dev.sluice.config.Section;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads {@code pages} of a stream. */
public final class PagesReader {
  private static final List<String> WORDS = List.of("link-header", "none");
  private static final List<String> KINDS = List.of("follow", "token", "number", "offset", "seek");
  private static final int MOST = 100_000;

  private final String hidden;

  /**
   * Reads for a provider.
   *
   * @param hidden the query parameter that proves who asks; empty for none
   */
  public PagesReader(String hidden) {
    this.hidden = hidden;
  }

  /** What stands under a key; the cautious default if nothing does or it cannot be. */
  public Pages read(Section stream, String key) {
    Optional<Node> node = stream.node(key);
    if (node.isEmpty()) {
      return new UnsaidPages(hidden);
    }
    if (node.get() instanceof Node.Scalar) {
      return stream.word(key, WORDS).map(this::named).orElse(new SinglePage());
    }
    Optional<Section> pages = stream.section(key);
    if (pages.isEmpty()) {
      return new SinglePage();
    }
    try (Section section = pages.get()) {
      return read(section).orElse(new SinglePage());
    }
  }

  private Pages named(String word) {
    return word.equals("none") ? new SinglePage() : new LinkPages(null, true, hidden);
  }

  private Optional<Pages> read(Section section) {
    Optional<String> kind = section.onlyOne(KINDS, "no way to the next page");
    if (kind.isEmpty()) {
      return Optional.empty();
    }
    return switch (kind.get()) {
      case "follow" -> follow(section);
      case "token" -> token(section);
      case "number" -> number(section);
      case "offset" -> offset(section);
      default -> seek(section);
    };
  }

  private Optional<Pages> follow(Section section) {
    Optional<String> unused = section.word("next", List.of("verbatim"));
    boolean restarts = restarts(section);
    Optional<String> text = section.text("follow");
    if (text.filter("link-header"::equals).isPresent()) {
      return Optional.of(new LinkPages(null, restarts, hidden));
    }
    return section
        .read("follow", Source::parse)
        .map(source -> new LinkPages(source, restarts, hidden));
  }

  private static Optional<Pages> token(Section section) {
    boolean restarts = restarts(section);
    Optional<Source> source = section.read("token", Source::parse);
    Optional<Spot> ask = spot(section, "ask");
    Condition until = section.read("until", PagesReader::untilBody).orElse(null);
    return source.flatMap(from -> ask.map(to -> new TokenPages(from, to, restarts, until)));
  }

  private static boolean restarts(Section section) {
    return !section.word("token-dies", List.of("restart-slice", "fail")).orElse("").equals("fail");
  }

  private static Optional<Pages> number(Section section) {
    long first = section.integer("first", 0, MOST).orElse(1);
    int size = section.integer("size", 1, MOST).orElse(0);
    Condition until = section.read("until", PagesReader::until).orElse(null);
    JsonPath guard = guard(section);
    return spot(section, "number")
        .map(Spot::forNumbers)
        .map(number -> new NumberedPages(number, first, size, until, guard));
  }

  private static Optional<Pages> offset(Section section) {
    if (!section.has("size")) {
      section.missing("size", "how many records a full page has");
    }
    Optional<Integer> size = section.integer("size", 1, MOST);
    JsonPath guard = guard(section);
    return spot(section, "offset")
        .map(Spot::forNumbers)
        .flatMap(offset -> size.map(count -> new OffsetPages(offset, count, guard)));
  }

  private Optional<Pages> seek(Section section) {
    Optional<Pages> ties =
        section.has("ties") ? Optional.of(read(section, "ties")) : Optional.empty();
    if (ties.isPresent() && ties.get() instanceof SeekPages) {
      section.mistake("ties", "seeks, too, but another way through one value is needed");
    }
    return section.integer("seek", 2, MOST).map(size -> new SeekPages(size, ties));
  }

  private static @Nullable JsonPath guard(Section section) {
    return section.read("guard", JsonPath::parse).orElse(null);
  }

  private static Condition until(String text) {
    Condition until = Condition.parse(text);
    for (String path : until.paths()) {
      if (!path.equals("page") && !path.startsWith("$")) {
        throw new IllegalArgumentException(
            "but it can only ask for page and for paths such as $.meta.total_pages");
      }
    }
    return until;
  }

  private static Condition untilBody(String text) {
    Condition until = Condition.parse(text);
    for (String path : until.paths()) {
      if (!path.startsWith("$")) {
        throw new IllegalArgumentException("but it can only ask for paths such as $.end_of_stream");
      }
    }
    return until;
  }

  private static Optional<Spot> spot(Section section, String key) {
    return section.required(key, "where in the request it goes, such as 'query page'", Spot::parse);
  }
}

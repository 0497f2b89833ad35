package dev.sluice.collect.yaml.text;

import dev.sluice.collect.connector.ProviderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/**
 * A text in which {@code {config.x}}, {@code {parent.a.b}} and {@code {split.y}} are replaced.
 * Immutable.
 */
public final class Template {
  private static final Pattern REFERENCE =
      Pattern.compile("\\{(config|parent|split)\\.([A-Za-z0-9_.-]+)}");

  private static final String EXPECTED =
      "but in braces {config.NAME}, {parent.MEMBER} or {split.NAME} is expected";

  private final String text;
  private final List<Object> parts; // texts and references by turns

  private Template(String text, List<Object> parts) {
    this.text = text;
    this.parts = List.copyOf(parts);
  }

  /** What nobody writes who does not mean a reference. */
  private static final Pattern LOOKALIKE = Pattern.compile("\\{[A-Za-z0-9_-]+\\.[A-Za-z0-9_.-]+}");

  /**
   * Reads a template.
   *
   * @throws IllegalArgumentException if a brace is not that of a reference; the message says what
   *     is expected
   */
  public static Template parse(String text) {
    return parse(text, Template::plain);
  }

  /**
   * Reads a template in whose text braces also stand for themselves, as in a query language.
   *
   * @throws IllegalArgumentException if a brace seems to be that of a reference, but is not
   */
  public static Template parseAmongBraces(String text) {
    return parse(
        text,
        part -> {
          if (LOOKALIKE.matcher(part).find()) {
            throw new IllegalArgumentException(EXPECTED);
          }
          return part;
        });
  }

  private static Template parse(String text, UnaryOperator<String> plain) {
    List<Object> parts = new ArrayList<>();
    Matcher references = REFERENCE.matcher(text);
    int end = 0;
    while (references.find()) {
      parts.add(plain.apply(text.substring(end, references.start())));
      parts.add(
          new Reference(
              Scope.valueOf(references.group(1).toUpperCase(Locale.ROOT)), references.group(2)));
      end = references.end();
    }
    parts.add(plain.apply(text.substring(end)));
    return new Template(text, parts);
  }

  private static String plain(String text) {
    if (text.indexOf('{') >= 0 || text.indexOf('}') >= 0) {
      throw new IllegalArgumentException(EXPECTED);
    }
    return text;
  }

  /** What it refers to, in order. */
  public List<Reference> references() {
    return parts.stream()
        .flatMap(
            part -> part instanceof Reference reference ? Stream.of(reference) : Stream.empty())
        .toList();
  }

  /** The one reference that it is, if it is nothing else. */
  public Optional<Reference> onlyReference() {
    return parts.size() == 3 && parts.get(0).equals("") && parts.get(2).equals("")
        ? Optional.of((Reference) parts.get(1))
        : Optional.empty();
  }

  /** Its text with everything replaced. */
  public String render(Names names) throws ProviderException {
    return render(names, value -> value);
  }

  /**
   * The same, with what is filled in written differently.
   *
   * @throws ProviderException if the parent has no such member
   */
  public String render(Names names, UnaryOperator<String> written) throws ProviderException {
    StringBuilder rendered = new StringBuilder();
    for (Object part : parts) {
      if (part instanceof Reference reference) {
        rendered.append(
            written.apply(
                names
                    .text(reference)
                    .orElseThrow(
                        () ->
                            ProviderException.unexpected(
                                "%s is needed, but the record has no such member"
                                    .formatted(reference)))));
      } else {
        rendered.append(part);
      }
    }
    return rendered.toString();
  }

  /** As a member of a record: a reference to a parent keeps its type, all else is text. */
  public JsonNode renderNode(Names names) throws ProviderException {
    Optional<Reference> only = onlyReference();
    if (only.isPresent() && only.get().scope() == Scope.PARENT) {
      JsonNode node = names.node(only.get());
      if (!node.isMissingNode()) {
        return node;
      }
    }
    return StringNode.valueOf(render(names));
  }

  @Override
  public String toString() {
    return text;
  }

  /** Where a name is looked up. */
  public enum Scope {
    /** In what was configured. */
    CONFIG,
    /** In the record whose details are fetched. */
    PARENT,
    /** In the part of the stream. */
    SPLIT
  }

  /**
   * A name in braces.
   *
   * @param name after the first point; may have points itself
   */
  public record Reference(Scope scope, String name) {
    @Override
    public String toString() {
      return "{%s.%s}".formatted(scope.name().toLowerCase(Locale.ROOT), name);
    }
  }
}

package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.yaml.request.BodyForm;
import dev.sluice.collect.yaml.request.Spot;
import dev.sluice.config.Node;
import dev.sluice.config.Section;
import java.util.List;
import java.util.Optional;

/** Whether what a stream asks for in its body can be asked for there. */
final class BodySpots {
  private static final List<List<String>> SPOTS =
      List.of(
          List.of("pages", "ask"),
          List.of("pages", "number"),
          List.of("pages", "offset"),
          List.of("pages", "ties", "ask"),
          List.of("pages", "ties", "number"),
          List.of("pages", "ties", "offset"),
          List.of("cursor", "ask"),
          List.of("slices", "bounds", "from"),
          List.of("slices", "bounds", "to"));

  private final Section stream;

  BodySpots(Section stream) {
    this.stream = stream;
  }

  void check(Optional<BodyForm> body) {
    for (List<String> keys : SPOTS) {
      check(stream, keys, body);
    }
  }

  private static void check(Section section, List<String> keys, Optional<BodyForm> body) {
    String key = keys.getFirst();
    Optional<Node> node = section.has(key) ? section.node(key) : Optional.empty();
    if (keys.size() > 1) {
      node.filter(Node.Mapping.class::isInstance)
          .flatMap(unused -> section.section(key))
          .ifPresent(inner -> check(inner, keys.subList(1, keys.size()), body));
    } else if (node.isPresent() && node.get() instanceof Node.Scalar scalar) {
      spot(scalar.text()).ifPresent(spot -> check(section, key, spot, body));
    }
  }

  private static void check(Section section, String key, Spot spot, Optional<BodyForm> body) {
    if (body.isEmpty()) {
      section.mistake(key, "is in the body, which only post has, but the stream has get");
    } else if (!body.get().has(spot)) {
      section.mistake(
          key, "is body %s, but the stream's body has no such place".formatted(spot.name()));
    }
  }

  /** A spot in the body; what cannot be read is told by whoever reads it. */
  private static Optional<Spot> spot(String text) {
    try {
      return Optional.of(Spot.parse(text)).filter(spot -> spot.kind() == Spot.Kind.BODY);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}

package dev.sluice.collect.select;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A path to something in JSON: {@code $}, {@code $.a.b}, {@code $[*]}, {@code $.a[*]}, {@code
 * $.a[0]}, {@code $['odd name']}. Immutable and thread-safe.
 */
public final class JsonPath {
  private static final String EXPECTED =
      "but a path such as $, $.data, $[*], $.data[*] or $.data[0].id is expected";

  private final String text;
  private final List<Step> steps;

  private JsonPath(String text, List<Step> steps) {
    this.text = text;
    this.steps = List.copyOf(steps);
  }

  /**
   * Reads a path.
   *
   * @throws IllegalArgumentException if it is none; the message says what is expected
   */
  public static JsonPath parse(String text) {
    if (!text.startsWith("$")) {
      throw new IllegalArgumentException(EXPECTED);
    }
    List<Step> steps = new ArrayList<>();
    int at = 1;
    while (at < text.length()) {
      int end = text.charAt(at) == '[' ? text.indexOf(']', at) + 1 : memberEnd(text, at + 1);
      if (end <= at || "[.".indexOf(text.charAt(at)) < 0) {
        throw new IllegalArgumentException(EXPECTED);
      }
      String step = text.substring(at, end);
      steps.add(step.charAt(0) == '[' ? bracket(step) : new Member(named(step.substring(1))));
      at = end;
    }
    return new JsonPath(text, steps);
  }

  /** The path to a member, by the names on the way. */
  public static JsonPath members(List<String> names) {
    return new JsonPath(
        "$." + String.join(".", names), names.stream().<Step>map(Member::new).toList());
  }

  /** The whole. */
  public static JsonPath root() {
    return new JsonPath("$", List.of());
  }

  /** The path to a member of what this one leads to. */
  public JsonPath member(String name) {
    return longer("['%s']".formatted(name), new Member(name));
  }

  /** The path to an element of what this one leads to, from 0. */
  public JsonPath element(int index) {
    return longer("[%d]".formatted(index), new Element(index));
  }

  private JsonPath longer(String end, Step step) {
    List<Step> longer = new ArrayList<>(steps);
    longer.add(step);
    return new JsonPath(text + end, longer);
  }

  private static int memberEnd(String text, int from) {
    int end = from;
    while (end < text.length() && "[.".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    return end;
  }

  private static Step bracket(String step) {
    String inside = step.substring(1, step.length() - 1).strip();
    if (inside.equals("*")) {
      return new All();
    }
    if (inside.matches("[0-9]{1,9}")) {
      return new Element(Integer.parseInt(inside));
    }
    if (inside.matches("'[^']+'|\"[^\"]+\"")) {
      return new Member(inside.substring(1, inside.length() - 1));
    }
    throw new IllegalArgumentException(EXPECTED);
  }

  private static String named(String name) {
    if (name.isBlank() || name.contains(" ") || name.contains("*")) {
      throw new IllegalArgumentException(EXPECTED);
    }
    return name;
  }

  /** Everything that it leads to, in order; empty if there is nothing. */
  public List<JsonNode> all(JsonNode root) {
    List<JsonNode> found = List.of(root);
    for (Step step : steps) {
      List<JsonNode> next = new ArrayList<>();
      for (JsonNode node : found) {
        step.follow(node, next);
      }
      found = next;
    }
    return found;
  }

  /** The first place that it leads to; a missing node if there is none. */
  public JsonNode first(JsonNode root) {
    List<JsonNode> found = all(root);
    return found.isEmpty() ? MissingNode.getInstance() : found.getFirst();
  }

  /**
   * Whether what its {@code [*]} goes through is there, be it empty: tells an empty list from an
   * answer of another shape.
   */
  public boolean isThere(JsonNode root) {
    int many = -1;
    for (int i = 0; i < steps.size() && many < 0; i++) {
      many = steps.get(i) instanceof All ? i : -1;
    }
    if (many < 0) {
      return !all(root).isEmpty();
    }
    return new JsonPath(text, steps.subList(0, many)).first(root).isArray();
  }

  /** Whether what its {@code [*]} goes through is there, and null: some services' empty list. */
  public boolean isNullIn(JsonNode root) {
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i) instanceof All) {
        return new JsonPath(text, steps.subList(0, i)).first(root).isNull();
      }
    }
    return false;
  }

  /**
   * Puts something where it leads to. Objects on the way are made if nothing is there; lists are
   * not.
   *
   * @return whether there is such a place
   */
  public boolean put(ObjectNode root, JsonNode value) {
    JsonNode at = root;
    for (int i = 0; i + 1 < steps.size(); i++) {
      List<JsonNode> found = new ArrayList<>();
      steps.get(i).follow(at, found);
      boolean nothing = found.isEmpty() || found.getFirst().isNull();
      if (nothing && at instanceof ObjectNode object && steps.get(i) instanceof Member member) {
        at = object.putObject(member.name());
      } else if (found.size() == 1 && !(steps.get(i) instanceof All)) {
        at = found.getFirst();
      } else {
        return false;
      }
    }
    return !steps.isEmpty() && steps.getLast().put(at, value);
  }

  @Override
  public String toString() {
    return text;
  }

  private sealed interface Step {
    void follow(JsonNode node, List<JsonNode> found);

    boolean put(JsonNode into, JsonNode value);
  }

  private record Member(String name) implements Step {
    @Override
    public void follow(JsonNode node, List<JsonNode> found) {
      JsonNode value = node.get(name);
      if (value != null) {
        found.add(value);
      }
    }

    @Override
    public boolean put(JsonNode into, JsonNode value) {
      if (!(into instanceof ObjectNode object)) {
        return false;
      }
      JsonNode unused = object.set(name, value);
      return true;
    }
  }

  private record Element(int index) implements Step {
    @Override
    public void follow(JsonNode node, List<JsonNode> found) {
      JsonNode value = node.get(index);
      if (value != null) {
        found.add(value);
      }
    }

    @Override
    public boolean put(JsonNode into, JsonNode value) {
      if (!(into instanceof ArrayNode list) || index >= list.size()) {
        return false;
      }
      JsonNode unused = list.set(index, value);
      return true;
    }
  }

  private record All() implements Step {
    @Override
    public void follow(JsonNode node, List<JsonNode> found) {
      if (node.isArray()) {
        node.forEach(found::add);
      }
    }

    @Override
    public boolean put(JsonNode into, JsonNode value) {
      return false;
    }
  }
}

package dev.sluice.arena;

import java.util.List;

/** A selection names something that there is not. */
public final class UnknownNameException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final String kind;
  private final String typed;
  private final transient List<String> known;

  /** There is no {@code kind} of the name {@code typed}, only those that are known. */
  public UnknownNameException(String kind, String typed, List<String> known) {
    super("there is no %s '%s'; there are: %s".formatted(kind, typed, String.join(", ", known)));
    this.kind = kind;
    this.typed = typed;
    this.known = List.copyOf(known);
  }

  /** What was named: a world, a scenario, a policy. */
  public String kind() {
    return kind;
  }

  /** The name as it was given. */
  public String typed() {
    return typed;
  }

  /** The names that there are. */
  public List<String> known() {
    return known;
  }
}

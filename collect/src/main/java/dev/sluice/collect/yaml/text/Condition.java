package dev.sluice.collect.yaml.text;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Something that holds or does not: {@code status == 403 and header.x-ratelimit-remaining == 0}.
 * Knows {@code == != < <= > >= in contains exists() and or not} and parentheses. Immutable.
 *
 * <p>Numbers compare as numbers, also where a header gives them as text; all else compares as text.
 * What is not there equals nothing and is neither greater nor smaller.
 */
public sealed interface Condition {

  /**
   * Reads a condition.
   *
   * @throws IllegalArgumentException if it is none; the message says where and what is expected
   */
  static Condition parse(String text) {
    return new ConditionParser(text).parse();
  }

  /** Whether it holds. */
  boolean holds(Facts facts);

  /** Every path that it asks for. */
  Set<String> paths();

  /** Both. */
  record And(Condition left, Condition right) implements Condition {
    @Override
    public boolean holds(Facts facts) {
      return left.holds(facts) && right.holds(facts);
    }

    @Override
    public Set<String> paths() {
      return union(left.paths(), right.paths());
    }
  }

  /** At least one. */
  record Or(Condition left, Condition right) implements Condition {
    @Override
    public boolean holds(Facts facts) {
      return left.holds(facts) || right.holds(facts);
    }

    @Override
    public Set<String> paths() {
      return union(left.paths(), right.paths());
    }
  }

  /** The opposite. */
  record Not(Condition inner) implements Condition {
    @Override
    public boolean holds(Facts facts) {
      return !inner.holds(facts);
    }

    @Override
    public Set<String> paths() {
      return inner.paths();
    }
  }

  /** Something is there and not null. */
  record Exists(String path) implements Condition {
    @Override
    public boolean holds(Facts facts) {
      return !facts.find(path).isMissingNode() && !facts.find(path).isNull();
    }

    @Override
    public Set<String> paths() {
      return Set.of(path);
    }
  }

  /** Two things stand to each other as an operator says. */
  record Comparison(Operand left, Operator operator, Operand right) implements Condition {
    @Override
    public boolean holds(Facts facts) {
      return operator.holds(left.value(facts), right.value(facts));
    }

    @Override
    public Set<String> paths() {
      return union(left.paths(), right.paths());
    }
  }

  /** Something is one of several. */
  record In(Operand left, List<Operand> choices) implements Condition {
    public In {
      choices = List.copyOf(choices);
    }

    @Override
    public boolean holds(Facts facts) {
      return choices.stream()
          .anyMatch(choice -> Operator.EQUAL.holds(left.value(facts), choice.value(facts)));
    }

    @Override
    public Set<String> paths() {
      return left.paths();
    }
  }

  private static Set<String> union(Set<String> one, Set<String> other) {
    Set<String> both = new TreeSet<>(one);
    both.addAll(other);
    return both;
  }
}

package dev.sluice.simulator.dataverse.odata;

import dev.sluice.simulator.dataverse.store.Reference;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which rows a query wants. Immutable. */
public sealed interface Filter {

  /** Whether a row that holds this is wanted. */
  boolean matches(@Nullable Object[] cells);

  /** How two values may relate. */
  enum Relation {
    EQ,
    NE,
    GT,
    GE,
    LT,
    LE
  }

  /**
   * A column and a value. An empty column equals nothing but null, and is neither more nor less.
   *
   * @param column its position
   * @param relation how they must relate
   * @param value the value; null for null
   */
  record Comparison(int column, Relation relation, @Nullable Object value) implements Filter {
    @Override
    public boolean matches(@Nullable Object[] cells) {
      Object cell = cells[column];
      if (cell == null || value == null) {
        boolean same = cell == null && value == null;
        return relation == Relation.NE ? !same : relation == Relation.EQ && same;
      }
      int order = Literals.compare(cell, value);
      return switch (relation) {
        case EQ -> order == 0;
        case NE -> order != 0;
        case GT -> order > 0;
        case GE -> order >= 0;
        case LT -> order < 0;
        case LE -> order <= 0;
      };
    }
  }

  /** Where in a text another one must be. */
  enum Part {
    ANYWHERE,
    START,
    END
  }

  /**
   * A text that has another one in it, without regard to case.
   *
   * @param column its position
   * @param part where
   * @param text what, in small letters
   */
  record Contains(int column, Part part, String text) implements Filter {
    @Override
    public boolean matches(@Nullable Object[] cells) {
      if (!(cells[column] instanceof String cell)) {
        return false;
      }
      String small = cell.toLowerCase(Locale.ROOT);
      return switch (part) {
        case ANYWHERE -> small.contains(text);
        case START -> small.startsWith(text);
        case END -> small.endsWith(text);
      };
    }
  }

  /**
   * One of several values.
   *
   * @param column its position
   * @param values those that are wanted
   */
  record In(int column, Set<Object> values) implements Filter {
    @Override
    public boolean matches(@Nullable Object[] cells) {
      Object cell = cells[column];
      return cell != null
          && (values.contains(cell)
              || values.stream().anyMatch(value -> Literals.compare(cell, value) == 0));
    }
  }

  /**
   * A lookup that leads to this row.
   *
   * @param column its position
   * @param row which
   */
  record Refers(int column, Reference row) implements Filter {
    @Override
    public boolean matches(@Nullable Object[] cells) {
      return row.equals(cells[column]);
    }
  }

  /**
   * All of them.
   *
   * @param parts which
   */
  record And(List<Filter> parts) implements Filter {
    @Override
    public boolean matches(@Nullable Object[] cells) {
      for (Filter part : parts) {
        if (!part.matches(cells)) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * Any of them.
   *
   * @param parts which
   */
  record Or(List<Filter> parts) implements Filter {
    @Override
    public boolean matches(@Nullable Object[] cells) {
      for (Filter part : parts) {
        if (part.matches(cells)) {
          return true;
        }
      }
      return false;
    }
  }

  /**
   * Not that.
   *
   * @param part what
   */
  record Not(Filter part) implements Filter {
    @Override
    public boolean matches(@Nullable Object[] cells) {
      return !part.matches(cells);
    }
  }
}

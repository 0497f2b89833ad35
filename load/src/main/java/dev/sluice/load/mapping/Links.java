package dev.sluice.load.mapping;

import java.util.List;

/**
 * What ties a record to others of the same input. Immutable.
 *
 * @param names what others may call it by
 * @param links the others that it means
 */
public record Links(List<Name> names, List<Link> links) {
  /** Neither named nor linked. */
  public static final Links NONE = new Links(List.of(), List.of());

  /**
   * What a record is called.
   *
   * @param list the number of the list that has this name; see {@link LinkColumn#list}
   */
  public record Name(int list, String name) {}

  /**
   * A look-up to be set.
   *
   * @param name what the other record is called
   */
  public record Link(LinkColumn column, String name) {}

  public Links {
    names = List.copyOf(names);
    links = List.copyOf(links);
  }
}

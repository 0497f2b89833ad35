package dev.sluice.dataverse.bulk;

import dev.sluice.dataverse.message.Item;
import java.util.ArrayList;
import java.util.List;

/**
 * Records that are sent together, and what has happened to them so far. Repeated exactly as it is,
 * or replaced by its parts. Used by one task at a time.
 */
final class Composition {
  private final List<Item> items;
  private long number;
  private boolean begun;

  /** Whether it was sent once without anybody knowing what came of it. */
  private boolean maybeDone;

  /** Whether an earlier process has begun it. */
  private boolean resumed;

  /** Whether each row is asked for by itself, and may be in without the others. */
  private boolean rowByRow;

  private int unknown;
  private int notSent;
  private int contended;
  private int unauthorized;
  private int rowRetries;

  /** Never sent before. */
  Composition(List<Item> items) {
    this.items = List.copyOf(items);
  }

  /** Written down by an earlier process, which may have sent it. */
  static Composition resumed(long number, List<Item> items) {
    Composition composition = new Composition(items);
    composition.begunAs(number);
    composition.maybeDone = true;
    composition.resumed = true;
    return composition;
  }

  List<Item> items() {
    return items;
  }

  int size() {
    return items.size();
  }

  Item first() {
    return items.getFirst();
  }

  /** Whether all keys were made here: a row that has one can only be one that we sent. */
  boolean hasOurKeys() {
    return items.stream().allMatch(Item::ours);
  }

  long number() {
    return number;
  }

  boolean begun() {
    return begun;
  }

  void begunAs(long journalNumber) {
    number = journalNumber;
    begun = true;
  }

  boolean maybeDone() {
    return maybeDone;
  }

  boolean isResumed() {
    return resumed;
  }

  boolean isRowByRow() {
    return rowByRow;
  }

  /**
   * From now on each of its rows is asked for by itself, and there is no way back: once some may be
   * in and others not, a bulk message could not tell them apart.
   */
  void askRowByRow() {
    rowByRow = true;
  }

  /** Nobody knows what came of it; how often that has happened. */
  int outcomeUnknown() {
    maybeDone = true;
    return ++unknown;
  }

  /** There was no connection to send it on; how often that has happened. */
  int notSent() {
    return ++notSent;
  }

  /** It lost against other work in the database; how often that has happened. */
  int contended() {
    return ++contended;
  }

  /** Its token was refused; how often that has happened. */
  int unauthorized() {
    return ++unauthorized;
  }

  /** How often rows of it were sent again because they had failed by themselves. */
  int rowRetries() {
    return rowRetries;
  }

  /** Its two halves. */
  List<Composition> halves() {
    return parts((items.size() + 1) / 2);
  }

  /** Its parts of at most so many rows. */
  List<Composition> parts(int most) {
    List<Composition> parts = new ArrayList<>();
    for (int from = 0; from < items.size(); from += most) {
      parts.add(part(items.subList(from, Math.min(items.size(), from + most))));
    }
    return parts;
  }

  /**
   * Items that were throttled, or failed by themselves and may pass.
   *
   * @param failed whether some failed
   */
  Composition remainder(List<Item> some, boolean failed, boolean outcomeUnknown) {
    Composition remainder = part(some);
    remainder.rowRetries += failed ? 1 : 0;
    remainder.maybeDone |= outcomeUnknown;
    return remainder;
  }

  private Composition part(List<Item> some) {
    Composition part = new Composition(some);
    part.maybeDone = maybeDone;
    part.rowByRow = rowByRow;
    part.rowRetries = rowRetries;
    return part;
  }
}

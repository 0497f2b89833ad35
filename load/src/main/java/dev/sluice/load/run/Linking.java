package dev.sluice.load.run;

import dev.sluice.load.mapping.Links;
import dev.sluice.load.run.OnTheWay.Passenger;
import dev.sluice.load.run.WaitingRows.Waiting;
import dev.sluice.runs.journal.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the first pass over an input leaves to the second: which rows are in and still wait for
 * look-ups to others, and what all rows are called. Thread-safe.
 */
final class Linking {
  private final RowNames names;
  private final WaitingRows rows;
  private final AtomicLong waiting;

  /**
   * Goes on from where the store is.
   *
   * @param waiting how many rows wait in it
   */
  Linking(RowNames names, WaitingRows rows, long waiting) {
    this.names = names;
    this.rows = rows;
    this.waiting = new AtomicLong(waiting);
  }

  /** How many rows were left to the second pass, by this run and those before it. */
  long waiting() {
    return waiting.get();
  }

  /** Rows have their outcome: to be stored with it. */
  Entry arrived(List<Passenger> done, List<Passenger> refused) {
    List<Passenger> called = new ArrayList<>();
    List<Passenger> calledInVain = new ArrayList<>();
    List<Waiting> linked = new ArrayList<>();
    for (Passenger passenger : done) {
      if (!passenger.links().names().isEmpty()) {
        called.add(passenger);
      }
      if (!passenger.links().links().isEmpty()) {
        linked.add(new Waiting(passenger.record().index(), passenger.chain()));
      }
    }
    for (Passenger passenger : refused) {
      if (!passenger.links().names().isEmpty()) {
        calledInVain.add(passenger);
      }
    }
    if (called.isEmpty() && calledInVain.isEmpty() && linked.isEmpty()) {
      return Entry.NONE;
    }
    waiting.addAndGet(linked.size());
    return transaction -> {
      for (Passenger passenger : called) {
        names.add(transaction, passenger.item(), passenger.links().names(), true);
      }
      for (Passenger passenger : calledInVain) {
        names.add(transaction, passenger.item(), passenger.links().names(), false);
      }
      rows.add(transaction, linked);
    };
  }

  /** A row is turned away before it is sent: to be stored with that. */
  Entry turnedAway(long row, Links links) {
    return links.names().isEmpty()
        ? Entry.NONE
        : transaction -> names.addRejected(transaction, row, links.names());
  }
}

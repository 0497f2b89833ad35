package dev.sluice.load.run;

import dev.sluice.dataverse.message.Item;
import dev.sluice.load.Rejection.Reason;
import dev.sluice.load.input.RawRecord;
import dev.sluice.load.mapping.Links;
import dev.sluice.load.run.RowNames.Bearer;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** Finds the rows that look-ups within an input mean, or says why there is none. */
final class Resolver {
  private final Store store;
  private final RowNames names;

  Resolver(Store store, RowNames names) {
    this.store = store;
    this.names = names;
  }

  /** A record that is linked to others. */
  record Linked(RawRecord record, Item item, List<Links.Link> links) {}

  /** What a record's look-ups came to. */
  sealed interface Resolved {
    /** The item that sets them. */
    record Update(Item item) implements Resolved {}

    /** At least one cannot be set, and so none is. */
    record Refused(Reason reason, String why) implements Resolved {}
  }

  /** One answer for each record: asked together, because every question waits for commits. */
  List<Resolved> resolve(List<Linked> records) {
    return store.read(
        transaction -> {
          List<Resolved> resolved = new ArrayList<>(records.size());
          for (Linked linked : records) {
            resolved.add(resolve(transaction, linked));
          }
          return resolved;
        });
  }

  private Resolved resolve(Transaction transaction, Linked linked) {
    StringJoiner members = new StringJoiner(",");
    for (Links.Link link : linked.links()) {
      String why = link.column().listed() + " '" + link.name() + "'";
      switch (names.bearer(transaction, link.column().list(), link.name())) {
        case Bearer.One one -> members.add(link.column().member(one.predicate()));
        case Bearer.None none -> {
          return new Resolved.Refused(Reason.LOOKUP_UNKNOWN, "no row of the file has " + why);
        }
        case Bearer.Rejected(long row) -> {
          return new Resolved.Refused(
              Reason.LOOKUP_REJECTED,
              "record %,d, which has %s, was rejected".formatted(row + 1, why));
        }
        case Bearer.Several(long first, long second) -> {
          return new Resolved.Refused(
              Reason.LOOKUP_AMBIGUOUS,
              "records %,d and %,d both have %s".formatted(first + 1, second + 1, why));
        }
      }
    }
    Item item = linked.item();
    return new Resolved.Update(new Item(item.index(), item.key(), false, members.toString()));
  }
}

package dev.sluice.simulator.dataverse;

import dev.sluice.simulator.dataverse.webapi.Operation;
import dev.sluice.simulator.dataverse.webapi.Plan;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The race for a table: the first bulk message of a kind makes the database prepare the table for
 * it, and others of the kind that come meanwhile fail. Under the environment's lock.
 */
@SuppressWarnings("ReferenceEquality") // a request is its own plan
final class Preparation {
  private final Map<Key, Plan> preparing = new HashMap<>();
  private final Set<Key> prepared = new HashSet<>();

  private record Key(String table, Operation operation) {}

  /** Whether this request comes while the table is being prepared; if it is the first, it does. */
  boolean isRaced(Plan plan) {
    Key key = key(plan);
    return key != null && !prepared.contains(key) && preparing.putIfAbsent(key, plan) != null;
  }

  /** A request ends: if it was the first, the table is prepared. */
  void finish(Plan plan) {
    Key key = key(plan);
    if (key != null && preparing.get(key) == plan) {
      preparing.remove(key);
      prepared.add(key);
    }
  }

  private static @Nullable Key key(Plan plan) {
    String table = plan.table();
    return table != null && plan.operation().kind() == Operation.Kind.BULK
        ? new Key(table, plan.operation())
        : null;
  }
}

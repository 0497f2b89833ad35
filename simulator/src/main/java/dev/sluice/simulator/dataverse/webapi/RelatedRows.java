package dev.sluice.simulator.dataverse.webapi;

import dev.sluice.simulator.dataverse.odata.Expand;
import dev.sluice.simulator.dataverse.odata.Query;
import dev.sluice.simulator.dataverse.odata.RowWriter;
import dev.sluice.simulator.dataverse.odata.Sorting;
import dev.sluice.simulator.dataverse.store.Reference;
import dev.sluice.simulator.dataverse.store.Row;
import dev.sluice.simulator.dataverse.store.RowKey;
import dev.sluice.simulator.dataverse.store.TableSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows of expanded navigation properties, as they are when it is first asked. For one
 * answer, and not thread-safe; it takes the store's lock for moments.
 */
final class RelatedRows implements RowWriter.Related {
  private final Runner runner;

  // A collection is gathered once for all rows of an answer: one pass over its table.
  private final IdentityHashMap<Expand, Map<Reference, List<@Nullable Object[]>>> gathered =
      new IdentityHashMap<>();

  RelatedRows(Runner runner) {
    this.runner = runner;
  }

  @Override
  public List<@Nullable Object[]> rows(Expand expand, @Nullable Object[] cells) {
    if (expand.many()) {
      UUID id = (UUID) Objects.requireNonNull(cells[TableSchema.ID]);
      return gathered
          .computeIfAbsent(expand, this::gather)
          .getOrDefault(new Reference(expand.from().name(), id), List.of());
    }
    return cells[expand.column()] instanceof Reference(String table, UUID id)
            && table.equals(expand.table().name())
        ? one(expand.table(), id)
        : List.of();
  }

  private List<@Nullable Object[]> one(TableSchema table, UUID id) {
    runner.lock().lock();
    try {
      Row row = runner.store().table(table).find(RowKey.of(id));
      @Nullable Object[] cells = row == null ? null : row.cells();
      return cells == null ? List.of() : List.<@Nullable Object[]>of(cells);
    } finally {
      runner.lock().unlock();
    }
  }

  /** The rows of a collection by what they refer to, each list in its order and length. */
  private Map<Reference, List<@Nullable Object[]>> gather(Expand expand) {
    Query query = expand.query();
    Map<Reference, List<@Nullable Object[]>> rows = new HashMap<>();
    for (Row row : ordered(expand.table())) {
      @Nullable Object[] cells = row.cells();
      if (cells != null
          && cells[expand.column()] instanceof Reference reference
          && (query.filter() == null || query.filter().matches(cells))) {
        rows.computeIfAbsent(reference, unused -> new ArrayList<>()).add(cells);
      }
    }
    Sorting sorting = Sorting.of(expand.table(), query.orders());
    int most = query.top() == null ? Queries.LARGEST_PAGE : query.top();
    rows.replaceAll(
        (reference, all) -> {
          all.sort(sorting);
          return all.subList(0, Math.min(all.size(), most));
        });
    return rows;
  }

  private Row[] ordered(TableSchema table) {
    runner.lock().lock();
    try {
      return runner.store().table(table).ordered();
    } finally {
      runner.lock().unlock();
    }
  }
}

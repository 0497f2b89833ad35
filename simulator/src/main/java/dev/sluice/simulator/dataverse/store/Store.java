package dev.sluice.simulator.dataverse.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** The rows of all tables. Changed by one thread at a time. */
public final class Store {
  private static final long VERSION_4 = 0x4000L;
  private static final long VARIANT = 0x8000_0000_0000_0000L;

  private final Schema schema;
  private final Map<String, Table> tables = new LinkedHashMap<>();
  private final long idEnd;
  private final int idMiddle;
  private int ids;
  private long version = 1_000_000;

  /** Empty tables. Ids that the store gives out come from {@code random}. */
  public Store(Schema schema, RandomGenerator random) {
    this.schema = schema;
    this.idEnd = (random.nextLong() & ~(3L << 62)) | VARIANT;
    this.idMiddle = random.nextInt() & 0xFFFF;
    schema.tables().forEach(table -> tables.put(table.name(), new Table(table)));
  }

  /** What tables there are. */
  public Schema schema() {
    return schema;
  }

  /** The rows of a table of this schema. */
  public Table table(TableSchema table) {
    Table found = tables.get(table.name());
    if (found == null) {
      throw new IllegalArgumentException("there is no table " + table.name());
    }
    return found;
  }

  /** Forgets all rows of a table. */
  public void clear(TableSchema table) {
    tables.put(table(table).schema().name(), new Table(table));
  }

  /** The next id: each greater than the one before, which keeps them together on disk. */
  UUID nextId() {
    return new UUID((long) ids++ << 32 | (long) idMiddle << 16 | VERSION_4, idEnd);
  }

  /** The next version: every change of any row has its own. */
  long nextVersion() {
    return ++version;
  }
}

package dev.sluice.runs.store;

/**
 * SQLite has a place for a stamp in every file.
 *
 * @param file which one
 */
record SqliteDialect(String file) implements Dialect {

  @Override
  public Stamp stamp(Transaction transaction) {
    long application = pragma(transaction, "application_id");
    boolean empty =
        application == 0
            && transaction.row("select 1 from sqlite_schema limit 1", row -> 1).isEmpty();
    return new Stamp(empty, application == Schema.APPLICATION, pragma(transaction, "user_version"));
  }

  @Override
  public void stamp(Transaction transaction, int version) {
    int unused = transaction.update("pragma application_id = " + Schema.APPLICATION);
    int unusedToo = transaction.update("pragma user_version = " + version);
  }

  private static long pragma(Transaction transaction, String name) {
    return transaction.row("pragma " + name, row -> row.number(1)).orElse(0L);
  }

  @Override
  public StoreException foreign() {
    return Trouble.notAStore(file, "it is a database of another program", null);
  }

  @Override
  public StoreException newer(long found, int known) {
    return Trouble.newerSchema(file, found, known);
  }
}

package dev.sluice.runs.store;

class SqliteMemoryStoreTest extends StoreContract {
  SqliteMemoryStoreTest() {
    super(TestDatabase.SQLITE_IN_MEMORY);
  }
}

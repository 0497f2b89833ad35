package dev.sluice.cli;

import dev.sluice.runs.store.Store;
import picocli.CommandLine.Parameters;

/** What is said of one collection in the store, or done to it. */
abstract class CollectionCommand extends StoreCommand {
  @Parameters(index = "0", paramLabel = "COLLECTION", description = "As its file calls it.")
  @SuppressWarnings("NullAway.Init") // required
  private String collection;

  @Override
  final int call(Store store) {
    KnownCollections known = new KnownCollections(store, time);
    return known.has(collection)
        ? call(store, collection)
        : end(ExitCode.BAD_ARGUMENTS, pasteable(known.missing(collection)));
  }

  /** Does it, and says how it ended. */
  abstract int call(Store store, String collection);
}

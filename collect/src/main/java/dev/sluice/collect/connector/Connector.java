package dev.sluice.collect.connector;

import java.util.List;

/** A provider and its streams, configured and ready to be read. Thread-safe. */
public interface Connector {

  /** What it is called; collections may have other names. */
  String name();

  /** How the provider is reached, and what its answers mean. */
  Provider provider();

  /** The streams that are listed, in the order in which they are read. */
  List<ListStream> streams();
}

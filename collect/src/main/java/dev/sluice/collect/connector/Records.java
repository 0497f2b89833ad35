package dev.sluice.collect.connector;

import java.io.IOException;

/** Where records go as they are read. */
@FunctionalInterface
public interface Records {

  /**
   * Takes one.
   *
   * @throws IOException if it cannot be kept: let it pass through
   */
  void accept(CollectedRecord record) throws IOException, InterruptedException;
}

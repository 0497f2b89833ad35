package dev.sluice.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests that have a stage of their own each, in a folder that is new. */
abstract class OnStage {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  Path folder;

  @SuppressWarnings("NullAway.Init") // set before each test
  CollectStage stage;

  @BeforeEach
  final void open() throws IOException {
    stage = new CollectStage(folder);
  }

  @AfterEach
  final void close() {
    stage.close();
  }
}

package dev.sluice.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Counts how often this process makes files durable from Java: every {@code FileDescriptor.sync}
 * and {@code FileChannel.force}, as the flight recorder of Java 25 counts calls. SQLite syncs by
 * itself, and is not seen here.
 */
final class FileSyncs {
  private static final String EVENT = "jdk.MethodTiming";
  private static final String METHODS =
      "java.io.FileDescriptor::sync;sun.nio.ch.FileChannelImpl::force";

  private FileSyncs() {}

  /** What is done meanwhile. */
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  /** How many there were; empty if this Java cannot count them. The work is done in any case. */
  static Optional<Long> during(Work work) throws Exception {
    boolean known =
        FlightRecorder.getFlightRecorder().getEventTypes().stream()
            .map(EventType::getName)
            .anyMatch(EVENT::equals);
    if (!known) {
      work.run();
      return Optional.empty();
    }
    try (Recording recording = new Recording()) {
      recording.enable(EVENT).with("filter", METHODS).with("period", "endChunk");
      recording.start();
      work.run();
      recording.stop();
      return Optional.of(counted(recording));
    }
  }

  private static long counted(Recording recording) throws IOException {
    Path file = Files.createTempFile("sluice-bench", ".jfr");
    try {
      recording.dump(file);
      long count = 0;
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        if (event.getEventType().getName().equals(EVENT)) {
          count += event.getLong("invocations");
        }
      }
      return count;
    } finally {
      Files.delete(file);
    }
  }
}

package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Records;
import dev.sluice.collect.yaml.text.Names;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Hands on the records of one slice, and remembers how far they came. Used by one task. */
final class Outlet {
  private final RecordForm form;
  private final Names names;
  private final Records records;
  private final Optional<String> stop;
  private @Nullable String latest;

  /**
   * Has seen nothing yet.
   *
   * @param stop the cursor value at and beyond which nothing is handed on
   */
  Outlet(RecordForm form, Names names, Records records, Optional<String> stop) {
    this.form = form;
    this.names = names;
    this.records = records;
    this.stop = stop;
  }

  /** Takes a record as it came; what is left out still counts as seen. */
  void accept(ObjectNode record) throws ProviderException, IOException, InterruptedException {
    if (form.cursor().isPresent()) {
      CursorRule cursor = form.cursor().get();
      String value = cursor.value(record);
      if (stop.isPresent() && cursor.type().compare(value, stop.get()) >= 0) {
        return;
      }
      latest = latest == null ? value : cursor.later(latest, value);
    }
    Optional<CollectedRecord> collected = form.collected(record, names);
    if (collected.isPresent()) {
      records.accept(collected.get());
    }
  }

  /** The latest cursor value, of those that were there before as well. */
  Optional<String> latest(Optional<String> before) {
    if (latest == null || before.isEmpty()) {
      return before.or(() -> Optional.ofNullable(latest));
    }
    return Optional.of(form.cursor().orElseThrow().later(latest, before.get()));
  }
}

package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Records;
import dev.sluice.collect.yaml.text.Names;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Hands on the records of one slice, and remembers how far they came. Used by one task. */
final class Outlet {
  private final RecordForm form;
  private final Names names;
  private final Records records;
  private final Optional<String> stop;
  private final Instant now;
  private @Nullable String latest;

  /** For those who do not ask how far the records came. */
  Outlet(RecordForm form, Names names, Records records, Optional<String> stop) {
    this(form, names, records, stop, Instant.MAX);
  }

  /**
   * Has seen nothing yet.
   *
   * @param stop the cursor value at and beyond which nothing is handed on
   * @param now the present: one record that claims to be of the year 9999 must not hide what comes
   *     until then
   */
  Outlet(RecordForm form, Names names, Records records, Optional<String> stop, Instant now) {
    this.form = form;
    this.names = names;
    this.records = records;
    this.stop = stop;
    this.now = now;
  }

  /** Takes a record as it came; what is left out still counts as seen. */
  void accept(ObjectNode record) throws ProviderException, IOException, InterruptedException {
    ObjectNode complete = form.completed(record, names);
    if (form.cursor().isPresent()) {
      CursorRule cursor = form.cursor().get();
      String value = cursor.value(complete);
      if (stop.isPresent() && cursor.type().compare(value, stop.get()) >= 0) {
        return;
      }
      if (!cursor.isAhead(value, now)) {
        latest = latest == null ? value : cursor.later(latest, value);
      }
    }
    Optional<CollectedRecord> collected = form.collected(record, complete);
    if (collected.isPresent()) {
      records.accept(collected.get());
    }
  }

  /** The latest cursor value up to the present, of those that were there before as well. */
  Optional<String> latest(Optional<String> before) {
    if (latest == null || before.isEmpty()) {
      return before.or(() -> Optional.ofNullable(latest));
    }
    return Optional.of(form.cursor().orElseThrow().later(latest, before.get()));
  }
}

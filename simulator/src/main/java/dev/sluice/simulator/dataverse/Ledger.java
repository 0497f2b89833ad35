package dev.sluice.simulator.dataverse;

import dev.sluice.simulator.dataverse.webapi.Operation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes down what happens. Under the environment's lock. */
final class Ledger {
  private final List<Map<Operation, Long>> operations = new ArrayList<>();
  private final Map<Integer, Long> statuses = new TreeMap<>();
  private final RequestRecord[] log;
  private long unauthorized;
  private long records;

  Ledger(int users, int logSize) {
    for (int user = 0; user < users; user++) {
      operations.add(new EnumMap<>(Operation.class));
    }
    this.log = new RequestRecord[logSize];
  }

  void unauthorized() {
    unauthorized++;
  }

  long nextNumber() {
    return records;
  }

  void record(int user, RequestRecord record) {
    operations.get(user).merge(record.operation(), 1L, Long::sum);
    statuses.merge(record.status(), 1L, Long::sum);
    if (log.length > 0) {
      log[(int) (records % log.length)] = record;
    }
    records++;
  }

  long unauthorizedSoFar() {
    return unauthorized;
  }

  Map<Integer, Long> statuses() {
    return new TreeMap<>(statuses);
  }

  Map<Operation, Long> operations(int user) {
    return new EnumMap<>(operations.get(user));
  }

  /** The last requests, the oldest first. */
  List<RequestRecord> last(int most) {
    List<RequestRecord> last = new ArrayList<>();
    long from = Math.max(0, records - Math.min(most, log.length));
    for (long i = from; i < records; i++) {
      last.add(log[(int) (i % log.length)]);
    }
    return last;
  }
}

package dev.sluice.dataverse.bulk;

import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.MessageOptions;
import dev.sluice.dataverse.message.Messenger;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.message.RecordKey;
import dev.sluice.dataverse.message.Result;
import dev.sluice.dataverse.table.Table;
import dev.sluice.gate.Call.Reply;
import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A service in the terms of messages: a table that takes a whole message or nothing, rows that it
 * refuses, and a script of things that go wrong. In simulated time, where one task runs at a time.
 */
final class FakeService implements Messenger {
  static final Table ACCOUNT =
      new Table(
          "account",
          "accounts",
          "accountid",
          false,
          List.of(),
          List.of(),
          Set.of(Table.BulkMessage.values()));

  /** What happens to a message. */
  interface Twist {
    /** Null if nothing happens to this one. */
    @Nullable Trouble at(int message, String identity, List<Item> items);
  }

  /** What goes wrong, and whether the work is done nevertheless. */
  sealed interface Trouble {
    record Answer(Fault fault, Signal signal) implements Trouble {}

    record NoAnswer(boolean done) implements Trouble {}

    record NoConnection() implements Trouble {}

    /** Some records are throttled, and the others go in. */
    record Part(Predicate<Item> throttled, Duration retryAfter) implements Trouble {}

    /** Some records are refused with that fault, and the others go in. */
    record EachRefused(Predicate<Item> refused, Fault fault) implements Trouble {}
  }

  final Map<RecordKey, String> rows = new LinkedHashMap<>();
  final Map<RecordKey, Instant> made = new HashMap<>();
  final Set<Long> poisoned = new HashSet<>();
  final List<List<Item>> received = new ArrayList<>();
  final List<String> identities = new ArrayList<>();
  final Map<RecordKey, Integer> touching = new HashMap<>();
  Twist twist = (message, identity, items) -> null;
  Duration duration = Duration.ofMillis(100);
  int lookUps;
  int rowByRow; // so many messages asked for each record by itself
  int blind; // so many questions are not answered
  int expired; // so many questions carry a token that is refused
  int inFlight;
  int mostInFlight;
  boolean touchedTwiceAtOnce;

  private final Time time;

  FakeService(Time time) {
    this.time = time;
  }

  @Override
  public Reply<Result> send(
      String identity, Table table, Operation operation, List<Item> items, MessageOptions options)
      throws IOException, InterruptedException {
    received.add(items);
    identities.add(identity);
    Trouble trouble = twist.at(received.size() - 1, identity, items);
    if (trouble instanceof Trouble.NoConnection) {
      throw new ConnectException("refused");
    }
    inFlight++;
    mostInFlight = Math.max(mostInFlight, inFlight);
    for (Item item : items) {
      touchedTwiceAtOnce |= touching.merge(item.key(), 1, Integer::sum) > 1;
    }
    try {
      time.sleep(duration);
    } finally {
      inFlight--;
      items.forEach(item -> touching.merge(item.key(), -1, Integer::sum));
    }
    return switch (trouble) {
      case null -> answer(table, operation, items);
      case Trouble.Answer(Fault fault, Signal signal) ->
          new Reply<>(new Result.Refused(fault), signal);
      case Trouble.NoAnswer(boolean done) -> {
        Reply<Result> unused = done ? answer(table, operation, items) : null;
        throw new IOException("connection reset");
      }
      case Trouble.NoConnection() -> throw new AssertionError();
      case Trouble.Part part ->
          inPart(operation, items, part.throttled(), (Trouble.Answer) throttle(part.retryAfter()));
      case Trouble.EachRefused(Predicate<Item> refused, Fault fault) ->
          inPart(operation, items, refused, new Trouble.Answer(fault, Signal.success()));
    };
  }

  @Override
  public Reply<@Nullable Boolean> exists(String identity, Table table, RecordKey key) {
    lookUps++;
    if (expired > 0) {
      expired--;
      return new Reply<>(null, Signal.rejected(Signal.Rejected.Kind.UNAUTHORIZED));
    }
    return new Reply<>(rows.containsKey(key), Signal.success());
  }

  @Override
  public Reply<@Nullable Boolean> madeAfter(
      String identity, Table table, RecordKey key, Instant since) {
    lookUps++;
    if (blind > 0) {
      blind--;
      return new Reply<>(null, Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR));
    }
    Instant when = made.get(key);
    return new Reply<>(when != null && when.isAfter(since), Signal.success());
  }

  /** Without a bulk message, each record is taken or refused by itself. */
  private Reply<Result> answer(Table table, Operation operation, List<Item> items) {
    if (table.bulk().contains(operation.bulkMessage())) {
      return answer(operation, items);
    }
    rowByRow++;
    return inPart(
        operation, items, item -> false, (Trouble.Answer) throttle(Duration.ofSeconds(1)));
  }

  private Reply<Result> answer(Operation operation, List<Item> items) {
    for (Item item : items) {
      if (poisoned.contains(item.index())) {
        return refused(new Fault.Validation("0x80044331", "too long"));
      }
      if (operation == Operation.CREATE && rows.containsKey(item.key())) {
        return refused(new Fault.Duplicate(true, "0x80040237", "Cannot insert duplicate key."));
      }
    }
    for (Item item : items) {
      rows.put(item.key(), item.columns());
      made.put(item.key(), time.instant());
    }
    return new Reply<>(new Result.Done(), Signal.success());
  }

  @SuppressWarnings("NullAway") // it does not see the annotation of the record's list from here
  private Reply<Result> inPart(
      Operation operation, List<Item> items, Predicate<Item> some, Trouble.Answer refusal) {
    List<@Nullable Fault> faults = new ArrayList<>();
    for (Item item : items) {
      if (some.test(item)) {
        faults.add(refusal.fault());
      } else {
        Result result = answer(operation, List.of(item)).value();
        faults.add(result instanceof Result.Refused(Fault fault) ? fault : null);
      }
    }
    boolean none = faults.stream().allMatch(fault -> fault == null);
    if (none) {
      return new Reply<>(new Result.Done(), Signal.success());
    }
    return new Reply<>(
        new Result.Each(faults),
        faults.contains(refusal.fault()) ? refusal.signal() : Signal.success());
  }

  private static Reply<Result> refused(Fault fault) {
    return new Reply<>(new Result.Refused(fault), Signal.rejected(Signal.Rejected.Kind.INVALID));
  }

  static Trouble throttle(Duration wait) {
    return new Trouble.Answer(
        new Fault.ServiceProtection(
            Signal.Facet.REQUESTS, Optional.of(wait), "0x80072322", "too many"),
        new Signal.Throttled(Optional.of(wait), Signal.Facet.REQUESTS, "0x80072322", List.of()));
  }

  static Trouble deadlock() {
    return new Trouble.Answer(
        new Fault.Deadlock("0x80044150", "Sql Number: 1205"),
        Signal.answered(Signal.Answered.Kind.DEADLOCK));
  }
}

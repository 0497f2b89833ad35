package dev.sluice.dataverse.message;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.fault.ErrorBody;
import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.fault.FaultReader.Reading;
import dev.sluice.dataverse.service.Json;
import dev.sluice.dataverse.service.Service;
import dev.sluice.dataverse.table.Table;
import dev.sluice.dataverse.table.Table.BulkMessage;
import dev.sluice.gate.Call.Reply;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/**
 * Sends messages over the Web API: a bulk message where the table takes it, a {@code $batch} of
 * single requests where it does not. Every call is one request. Thread-safe.
 */
public final class WebMessenger implements Messenger {
  /** The most items that one message takes, because a batch takes no more. */
  public static final int MOST_ITEMS = 1_000;

  private static final int NO_CONTENT = 204;

  private static final String ANNOTATIONS = "odata.include-annotations=\"*\"";

  private static final String CREATED_ON = "createdon";
  private static final String OVERRIDDEN = "overriddencreatedon";

  private final Service service;

  /** To this environment. */
  public WebMessenger(Service service) {
    this.service = requireNonNull(service, "service");
  }

  /**
   * {@inheritDoc}
   *
   * @param items 1 to {@value #MOST_ITEMS}, a create's with primary keys
   */
  @Override
  public Reply<Result> send(
      String lane, Table table, Operation operation, List<Item> items, MessageOptions options)
      throws IOException, InterruptedException {
    check(operation, items);
    BulkMessage message = operation.bulkMessage();
    return table.bulk().contains(message) && takes(message, items)
        ? multiple(lane, table, message, operation, items, options)
        : batch(lane, table, operation, items, options);
  }

  private static void check(Operation operation, List<Item> items) {
    if (items.isEmpty() || items.size() > MOST_ITEMS) {
      throw new IllegalArgumentException(
          "a message of %d items, but it must have 1 to %d".formatted(items.size(), MOST_ITEMS));
    }
    for (Item item : items) {
      if (operation == Operation.CREATE && item.key() instanceof RecordKey.Alternate) {
        throw new IllegalArgumentException(
            "item %d cannot be sent: %s with the key %s"
                .formatted(item.index(), operation.wireName(), item.key()));
      }
    }
  }

  /** Of bulk messages, only an upsert takes alternate keys. */
  private static boolean takes(BulkMessage message, List<Item> items) {
    return message == BulkMessage.UPSERT_MULTIPLE
        || items.stream().noneMatch(item -> item.key() instanceof RecordKey.Alternate);
  }

  private Reply<Result> multiple(
      String lane,
      Table table,
      BulkMessage message,
      Operation operation,
      List<Item> items,
      MessageOptions options)
      throws IOException, InterruptedException {
    URI address =
        service.address(
            "%s/Microsoft.Dynamics.CRM.%s%s"
                .formatted(table.entitySet(), name(message), options.query()));
    List<String> headers = new ArrayList<>(options.headers());
    headers.addAll(List.of("Accept-Encoding", "identity")); // ids by chance hardly get smaller
    if (table.elastic()) {
      headers.addAll(List.of("Prefer", ANNOTATIONS)); // only so are rows told apart
    }
    Reading reading =
        service.send(
            lane,
            new WebRequest(
                "POST",
                address,
                headers,
                Bodies.targets(table, operation, items),
                service.timeouts().write()));
    Fault fault = reading.fault();
    if (fault == null) {
      fault =
          operation == Operation.CREATE
              ? unlessCreated(reading.answer(), items)
              : unlessNoContent(reading.answer());
      return fault == null
          ? new Reply<>(new Result.Done(), reading.signal())
          : new Reply<>(new Result.Refused(fault), fault.signal());
    }
    ErrorBody error = table.elastic() ? ErrorBody.of(reading.answer()) : null;
    List<@Nullable Fault> rows = error == null ? null : RowResults.read(error, fault, items.size());
    return rows == null
        ? new Reply<>(new Result.Refused(fault), reading.signal())
        : new Reply<>(new Result.Each(rows), signal(rows, reading.signal()));
  }

  /** Null if the answer has the ids that were sent: only that proves that the rows are there. */
  private static @Nullable Fault unlessCreated(WebAnswer answer, List<Item> items) {
    int ids = 0;
    boolean others = false;
    try (JsonParser json = Json.parser(answer)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return unproven("its body is no JSON object");
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean isIds = json.currentName().equals("Ids");
        if (json.nextToken() != JsonToken.START_ARRAY || !isIds) {
          json.skipChildren();
          continue;
        }
        for (JsonToken id = json.nextToken(); id != JsonToken.END_ARRAY; id = json.nextToken()) {
          others |=
              id != JsonToken.VALUE_STRING
                  || (ids < items.size() && !items.get(ids).key().isId(json.getString()));
          json.skipChildren();
          ids++;
        }
      }
      if (json.nextToken() != null) {
        return unproven("its body goes on after its JSON");
      }
    } catch (JacksonException e) {
      return unproven("its body is no JSON");
    }
    if (ids != items.size()) {
      return unproven("it has %d ids for %d rows".formatted(ids, items.size()));
    }
    return others ? unproven("it has other ids than were sent") : null;
  }

  /** Null if the status is the one that the service gives when all is written. */
  private static @Nullable Fault unlessNoContent(WebAnswer answer) {
    return answer.status() == NO_CONTENT ? null : unproven("it has status " + answer.status());
  }

  private static Fault unproven(String why) {
    return new Fault.NotDataverse("", "an answer does not prove that rows were written: " + why);
  }

  private static String name(BulkMessage message) {
    return switch (message) {
      case CREATE_MULTIPLE -> "CreateMultiple";
      case UPDATE_MULTIPLE -> "UpdateMultiple";
      case UPSERT_MULTIPLE -> "UpsertMultiple";
      case DELETE_MULTIPLE -> "DeleteMultiple";
    };
  }

  private Reply<Result> batch(
      String lane, Table table, Operation operation, List<Item> items, MessageOptions options)
      throws IOException, InterruptedException {
    String boundary = "batch_" + service.newId();
    Reading reading =
        service.send(
            lane,
            new WebRequest(
                "POST",
                service.address("$batch"),
                List.of(
                    "Content-Type",
                    "multipart/mixed; boundary=\"" + boundary + "\"",
                    "Prefer",
                    "odata.continue-on-error"),
                Bodies.batch(
                    boundary,
                    service.path(),
                    table,
                    operation,
                    items,
                    service.partHeaders(),
                    options),
                service.timeouts().write()));
    List<WebAnswer> parts = BatchAnswer.parts(reading.answer());
    if (parts == null) {
      Fault fault = reading.fault();
      Fault whole =
          fault == null
              ? new Fault.NotDataverse("", "the answer to a batch holds no parts")
              : fault;
      return new Reply<>(
          new Result.Refused(whole), fault == null ? whole.signal() : reading.signal());
    }
    List<@Nullable Fault> faults = new ArrayList<>(items.size());
    for (int i = 0; i < items.size(); i++) {
      faults.add(
          i < parts.size()
              ? service.faults().readPart(parts.get(i)).fault()
              : new Fault.UnknownOutcome("", "the batch's answer has no part for this record"));
    }
    boolean allIn = faults.stream().allMatch(fault -> fault == null);
    return new Reply<>(
        allIn ? new Result.Done() : new Result.Each(faults), signal(faults, reading.signal()));
  }

  /**
   * What a message that partly failed says to the gate: if any part was throttled, or any row, it
   * is a throttle, for the longest wait that was told. Otherwise the service works.
   */
  private static Signal signal(List<@Nullable Fault> faults, Signal whole) {
    Signal.Throttled worst = null;
    for (Fault fault : faults) {
      if (fault != null
          && fault.signal() instanceof Signal.Throttled throttled
          && (worst == null || isWorse(throttled, worst))) {
        worst = throttled;
      }
    }
    if (worst == null) {
      return new Signal.Success(Signal.Success.MEASURED, whole.quota());
    }
    Optional<Duration> wait = worst.retryAfter();
    if (wait.isEmpty() && whole instanceof Signal.Throttled told) {
      wait = told.retryAfter();
    }
    return new Signal.Throttled(wait, worst.facet(), worst.code(), whole.quota());
  }

  private static boolean isWorse(Signal.Throttled one, Signal.Throttled other) {
    return one.retryAfter()
            .orElse(Duration.ZERO)
            .compareTo(other.retryAfter().orElse(Duration.ZERO))
        > 0;
  }

  @Override
  public Reply<@Nullable Boolean> exists(String lane, Table table, RecordKey key)
      throws IOException, InterruptedException {
    Reading reading = row(lane, table, key, table.primaryId());
    if (reading.fault() != null) {
      return notSeen(reading.fault(), reading.signal());
    }
    String id = Json.read(reading.answer()).path(table.primaryId()).asString("");
    boolean seen = key instanceof RecordKey.Id ? key.isId(id) : !id.isEmpty();
    return new Reply<>(seen ? true : null, reading.signal());
  }

  private Reading row(String lane, Table table, RecordKey key, String columns)
      throws IOException, InterruptedException {
    return service.send(
        lane, service.get(service.address(key.address(table) + "?$select=" + columns)));
  }

  private static Reply<@Nullable Boolean> notSeen(Fault fault, Signal signal) {
    return new Reply<>(fault instanceof Fault.NotFound ? false : null, signal);
  }

  @Override
  public Reply<@Nullable Boolean> madeAfter(String lane, Table table, RecordKey key, Instant since)
      throws IOException, InterruptedException {
    boolean overridden =
        table.columns().stream().anyMatch(column -> column.logicalName().equals(OVERRIDDEN));
    String columns = overridden ? CREATED_ON + "," + OVERRIDDEN : CREATED_ON;
    Reading reading = row(lane, table, key, columns);
    if (reading.fault() != null) {
      return notSeen(reading.fault(), reading.signal());
    }
    JsonNode row = Json.read(reading.answer());
    if (!row.has(CREATED_ON)) {
      return new Reply<>(null, reading.signal());
    }
    // Where the input says when a row was made, the service keeps the truth in the other column.
    boolean after = isAfter(row, CREATED_ON, since) || isAfter(row, OVERRIDDEN, since);
    return new Reply<>(after, reading.signal());
  }

  private static boolean isAfter(JsonNode row, String column, Instant since) {
    try {
      return Instant.parse(row.path(column).asString("")).isAfter(since);
    } catch (DateTimeParseException e) {
      return false;
    }
  }
}

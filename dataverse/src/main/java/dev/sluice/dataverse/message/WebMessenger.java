package dev.sluice.dataverse.message;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.fault.ErrorBody;
import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.service.Exchange;
import dev.sluice.dataverse.service.Json;
import dev.sluice.dataverse.service.Service;
import dev.sluice.dataverse.table.Table;
import dev.sluice.dataverse.table.Table.BulkMessage;
import dev.sluice.dataverse.wire.WebAnswer;
import dev.sluice.dataverse.wire.WebRequest;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages over the Web API: a bulk message where the table takes it, a {@code $batch} of
 * single requests where it does not. Every call is one request. Thread-safe.
 */
public final class WebMessenger implements Messenger {
  /** The most items that one message takes, because a batch takes no more. */
  public static final int MOST_ITEMS = 1_000;

  private static final String ANNOTATIONS = "odata.include-annotations=\"*\"";

  private static final String CREATED_ON = "createdon";

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
      String identity, Table table, Operation operation, List<Item> items, MessageOptions options)
      throws IOException, InterruptedException {
    check(operation, items);
    BulkMessage message = operation.bulkMessage();
    return table.bulk().contains(message) && takes(message, items)
        ? multiple(identity, table, message, operation, items, options)
        : batch(identity, table, operation, items, options);
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
      String identity,
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
    if (table.elastic()) {
      headers.addAll(List.of("Prefer", ANNOTATIONS)); // only so are rows told apart
    }
    Exchange exchange =
        service.send(
            identity,
            new WebRequest(
                "POST",
                address,
                headers,
                Bodies.targets(table, operation, items),
                service.timeouts().write()));
    Fault fault = exchange.fault();
    if (fault == null) {
      return new Reply<>(new Result.Done(), exchange.signal());
    }
    ErrorBody error = table.elastic() ? ErrorBody.of(exchange.answer()) : null;
    List<@Nullable Fault> rows = error == null ? null : RowResults.read(error, items.size());
    return rows == null
        ? new Reply<>(new Result.Refused(fault), exchange.signal())
        : new Reply<>(new Result.Each(rows), signal(rows, exchange.signal()));
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
      String identity, Table table, Operation operation, List<Item> items, MessageOptions options)
      throws IOException, InterruptedException {
    String boundary = "batch_" + service.newId();
    Exchange exchange =
        service.send(
            identity,
            new WebRequest(
                "POST",
                service.address("$batch"),
                List.of(
                    "Content-Type",
                    "multipart/mixed; boundary=\"" + boundary + "\"",
                    "Prefer",
                    "odata.continue-on-error"),
                Bodies.batch(boundary, service.path(), table, operation, items, options),
                service.timeouts().write()));
    List<WebAnswer> parts = BatchAnswer.parts(exchange.answer());
    if (parts == null) {
      Fault fault = exchange.fault();
      Fault whole =
          fault == null
              ? new Fault.UnknownOutcome("", "the answer to a batch holds no parts")
              : fault;
      return new Reply<>(
          new Result.Refused(whole), fault == null ? whole.signal() : exchange.signal());
    }
    List<@Nullable Fault> faults = new ArrayList<>(items.size());
    for (int i = 0; i < items.size(); i++) {
      faults.add(
          i < parts.size()
              ? service.faults().read(parts.get(i), Duration.ZERO).fault()
              : new Fault.UnknownOutcome("", "the batch's answer has no part for this record"));
    }
    boolean allIn = faults.stream().allMatch(fault -> fault == null);
    return new Reply<>(
        allIn ? new Result.Done() : new Result.Each(faults), signal(faults, exchange.signal()));
  }

  /**
   * What a message that partly failed says to the gate. A service protection limit holds the lane,
   * whichever part met it. If the service had no room for any of the records, that is a throttle;
   * if it had room for some, it works.
   */
  private static Signal signal(List<@Nullable Fault> faults, Signal whole) {
    Fault last = null;
    boolean allBusy = true;
    for (Fault fault : faults) {
      if (fault instanceof Fault.ServiceProtection) {
        return fault.signal();
      }
      allBusy &= fault instanceof Fault.Busy;
      last = fault;
    }
    return allBusy && last != null
        ? last.signal()
        : new Signal.Success(Signal.Success.MEASURED, whole.quota());
  }

  @Override
  public Reply<@Nullable Boolean> exists(String identity, Table table, RecordKey key)
      throws IOException, InterruptedException {
    Exchange exchange =
        service.send(
            identity,
            service.get(service.address(key.address(table) + "?$select=" + table.primaryId())));
    Fault fault = exchange.fault();
    if (fault == null) {
      return new Reply<>(true, exchange.signal());
    }
    return new Reply<>(fault instanceof Fault.NotFound ? false : null, exchange.signal());
  }

  @Override
  public Reply<@Nullable Instant> createdOn(String identity, Table table, RecordKey key)
      throws IOException, InterruptedException {
    Exchange exchange =
        service.send(
            identity, service.get(service.address(key.address(table) + "?$select=" + CREATED_ON)));
    return new Reply<>(
        exchange.fault() == null ? createdOn(exchange.answer()) : null, exchange.signal());
  }

  private static @Nullable Instant createdOn(WebAnswer answer) throws IOException {
    try {
      return Instant.parse(Json.read(answer).path(CREATED_ON).asString(""));
    } catch (DateTimeParseException e) {
      return null;
    }
  }
}

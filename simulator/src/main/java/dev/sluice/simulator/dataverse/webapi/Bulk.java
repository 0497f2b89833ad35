package dev.sluice.simulator.dataverse.webapi;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.odata.RowReader;
import dev.sluice.simulator.dataverse.store.Item;
import dev.sluice.simulator.dataverse.store.Row;
import dev.sluice.simulator.dataverse.store.RowKey;
import dev.sluice.simulator.dataverse.store.Table;
import dev.sluice.simulator.dataverse.store.TableSchema;
import dev.sluice.simulator.dataverse.store.Transaction;
import dev.sluice.simulator.http.Response;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Plans the bulk messages. On a standard table a message is one transaction: the first row that
 * fails, fails all, and nobody is told which it was. On an elastic table each row is by itself.
 */
final class Bulk {
  static final String PREFIX = "Microsoft.Dynamics.CRM.";

  private final Runner runner;

  Bulk(Runner runner) {
    this.runner = runner;
  }

  Plan plan(Call call, TableSchema schema, String segment) throws WebApiException {
    Operation operation = operation(segment);
    if (operation == null || !call.request().method().equals("POST")) {
      throw new WebApiException(
          404,
          "0x80060888",
          "No HTTP resource was found that matches the request URI '%s'."
              .formatted(call.root() + "/" + schema.setName() + "/" + segment));
    }
    if (operation == Operation.DELETE_MULTIPLE && !schema.elastic()) {
      throw Errors.notImplemented("DeleteMultiple has not yet been implemented.");
    }
    if (!schema.bulk()) {
      throw new WebApiException(
          400,
          "0x80040800",
          ("The '%s' method does not support entities of type '%s'. MessageProcessorCache returned"
                  + " MessageProcessor.Empty.")
              .formatted(segment.substring(PREFIX.length()), schema.name()));
    }
    List<Item> items =
        new RowReader(runner.store().schema(), schema).readTargets(call.request().body());
    return Plan.write(
        operation, schema.name(), items.size(), write(call, schema, operation, items));
  }

  private static @Nullable Operation operation(String segment) {
    return switch (segment) {
      case PREFIX + "CreateMultiple" -> Operation.CREATE_MULTIPLE;
      case PREFIX + "UpdateMultiple" -> Operation.UPDATE_MULTIPLE;
      case PREFIX + "UpsertMultiple" -> Operation.UPSERT_MULTIPLE;
      case PREFIX + "DeleteMultiple" -> Operation.DELETE_MULTIPLE;
      default -> null;
    };
  }

  private Plan.Write write(Call call, TableSchema schema, Operation operation, List<Item> items) {
    if (schema.elastic()) {
      return new Elastic(operation, items, runner.store().table(schema), ids -> ids(call, ids));
    }
    return switch (operation) {
      case CREATE_MULTIPLE -> transaction -> create(call, schema, items, transaction);
      case UPDATE_MULTIPLE -> transaction -> update(schema, items, transaction);
      default -> transaction -> upsert(schema, items, transaction);
    };
  }

  private Plan.Done create(Call call, TableSchema schema, List<Item> items, Transaction transaction)
      throws WebApiException {
    Table table = runner.store().table(schema);
    List<UUID> ids = new ArrayList<>(items.size());
    for (Item item : items) {
      UUID id = item.id();
      if (id != null && table.find(RowKey.of(id)) != null) {
        throw Errors.duplicateInBulk();
      }
      ids.add(transaction.create(table, item).id());
    }
    return () -> ids(call, ids);
  }

  private static Response ids(Call call, List<UUID> ids) {
    return Answers.json(
        200,
        out -> {
          out.writeStartObject();
          out.writeStringProperty(
              "@odata.context",
              call.root() + "/$metadata#Microsoft.Dynamics.CRM.CreateMultipleResponse");
          out.writeName("Ids");
          out.writeStartArray();
          for (UUID id : ids) {
            out.writeString(id.toString());
          }
          out.writeEndArray();
          out.writeEndObject();
        });
  }

  /** Of several targets that are the same row, only the first is heeded, and nothing is said. */
  private Plan.Done update(TableSchema schema, List<Item> items, Transaction transaction)
      throws WebApiException {
    Table table = runner.store().table(schema);
    List<UUID> missing = new ArrayList<>();
    Set<UUID> seen = new HashSet<>();
    for (Item item : items) {
      UUID id = item.id();
      if (id == null) {
        throw Errors.invalidArgument("Required attribute 'Id' of a target is missing.");
      }
      Row row = table.find(RowKey.of(id));
      if (row == null) {
        missing.add(id);
      } else if (seen.add(id) && missing.isEmpty()) {
        Row unused = transaction.update(table, row, item);
      }
    }
    if (!missing.isEmpty()) {
      throw Errors.notFound(schema.name(), missing);
    }
    return Answers::noContent;
  }

  private Plan.Done upsert(TableSchema schema, List<Item> items, Transaction transaction)
      throws WebApiException {
    Table table = runner.store().table(schema);
    Set<Row> seen = new HashSet<>();
    for (Item item : items) {
      RowKey key = item.address();
      if (key == null) {
        seen.add(transaction.create(table, item));
        continue;
      }
      Row present = transaction.find(table, key);
      if (present == null && key instanceof RowKey.ByKey byKey && repeatsKey(item, byKey)) {
        throw Errors.unexpected();
      }
      if (!seen.add(Records.upsert(transaction, table, key, present, item, false))) {
        throw Errors.unexpected();
      }
    }
    return Answers::noContent;
  }

  private static boolean repeatsKey(Item item, RowKey.ByKey key) {
    return key.key().columns().stream().anyMatch(column -> item.get(column) != null);
  }

  /** A message about rows that succeed or fail each by itself. */
  private record Elastic(
      Operation operation, List<Item> items, Table table, Function<List<UUID>, Response> created)
      implements Plan.Write {

    @Override
    public boolean atomic() {
      return false;
    }

    @Override
    public Plan.Done run(Transaction transaction) throws WebApiException {
      List<UUID> ids = new ArrayList<>();
      StringBuilder details = new StringBuilder("[");
      WebApiException first = null;
      for (int i = 0; i < items.size(); i++) {
        Item item = items.get(i);
        UUID id = item.id();
        int status;
        try {
          id = one(item, transaction);
          status = operation == Operation.CREATE_MULTIPLE ? 201 : 204;
        } catch (WebApiException e) {
          status = e.status();
          first = first == null ? e : first;
        }
        ids.add(id == null ? new UUID(0, 0) : id);
        details
            .append(i == 0 ? "" : ",")
            .append(
                "{\"RequestIndex\":%d,\"Id\":\"%s\",\"StatusCode\":%d}"
                    .formatted(i, ids.getLast(), status));
      }
      if (first != null) {
        throw new WebApiException(500, "0x80048d0a", first.text(), details.append("]").toString());
      }
      return operation == Operation.CREATE_MULTIPLE ? () -> created.apply(ids) : Answers::noContent;
    }

    private UUID one(Item item, Transaction transaction) throws WebApiException {
      if (operation == Operation.CREATE_MULTIPLE) {
        return transaction.create(table, item).id();
      }
      RowKey key = item.address();
      if (operation == Operation.UPSERT_MULTIPLE) {
        if (key == null) {
          return transaction.create(table, item).id();
        }
        Row present = transaction.find(table, key);
        return Records.upsert(transaction, table, key, present, item, false).id();
      }
      if (key == null) {
        throw Errors.invalidArgument("Required attribute 'Id' of a target is missing.");
      }
      Row row = transaction.require(table, key);
      if (operation == Operation.DELETE_MULTIPLE) {
        transaction.delete(table, row);
      } else {
        row = transaction.update(table, row, item);
      }
      return Objects.requireNonNull(row).id();
    }
  }
}

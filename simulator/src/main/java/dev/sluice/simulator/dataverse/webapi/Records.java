package dev.sluice.simulator.dataverse.webapi;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.odata.Json;
import dev.sluice.simulator.dataverse.odata.Query;
import dev.sluice.simulator.dataverse.odata.RowReader;
import dev.sluice.simulator.dataverse.odata.RowWriter;
import dev.sluice.simulator.dataverse.store.AlternateKey;
import dev.sluice.simulator.dataverse.store.Item;
import dev.sluice.simulator.dataverse.store.Row;
import dev.sluice.simulator.dataverse.store.RowKey;
import dev.sluice.simulator.dataverse.store.Table;
import dev.sluice.simulator.dataverse.store.TableSchema;
import dev.sluice.simulator.dataverse.store.Transaction;
import dev.sluice.simulator.http.Response;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Plans what is done to one row. */
final class Records {
  private static final String SESSION = "240:8#144035050#7=-1";

  private final Runner runner;

  Records(Runner runner) {
    this.runner = runner;
  }

  Plan create(Call call, TableSchema schema) throws WebApiException {
    Item item = new RowReader(runner.store().schema(), schema).readOne(call.request().body());
    Query query = runner.query(call, schema);
    return Plan.write(
        Operation.CREATE,
        schema.name(),
        1,
        transaction -> {
          Row row = transaction.create(table(schema), item);
          return done(call, schema, row, true, query, row.id().toString());
        });
  }

  /** A PATCH: an update, a creation or either, as its conditions say. */
  Plan patch(Call call, TableSchema schema, RowKey key, String keyText) throws WebApiException {
    Item item = new RowReader(runner.store().schema(), schema).readOne(call.request().body());
    Query query = runner.query(call, schema);
    String mustBe = call.ifMatch();
    boolean mustNotBe = call.ifNoneMatch().equals("*");
    return Plan.write(
        mustBe.isEmpty() ? Operation.UPSERT : Operation.UPDATE,
        schema.name(),
        1,
        transaction -> {
          Table table = table(schema);
          Row row =
              mustBe.isEmpty() ? transaction.find(table, key) : transaction.require(table, key);
          if (row != null && mustNotBe) {
            throw Errors.duplicate();
          }
          refuseOtherVersion(mustBe, row);
          boolean created = row == null;
          Row changed = upsert(transaction, table, key, row, item, !mustBe.isEmpty());
          return done(call, schema, changed, created, query, keyText);
        });
  }

  /** What an upsert does: change what is there, or create what is not. */
  static Row upsert(
      Transaction transaction,
      Table table,
      RowKey key,
      @Nullable Row present,
      Item item,
      boolean updateOnly)
      throws WebApiException {
    if (present == null) {
      complete(item, key);
      return transaction.create(table, item);
    }
    if (table.schema().elastic() && !updateOnly) {
      return transaction.replace(table, present, item);
    }
    if (key instanceof RowKey.ByKey byKey) {
      byKey.key().columns().forEach(item::forget);
    }
    return transaction.update(table, present, item);
  }

  /** What the address says of a new row, unless the body says it too. */
  private static void complete(Item item, RowKey key) {
    if (key instanceof RowKey.ById byId) {
      if (item.id() == null) {
        item.set(TableSchema.ID, byId.id());
      }
      if (byId.partition() != null && item.partition() == null) {
        item.set(TableSchema.PARTITION, byId.partition());
      }
    } else if (key instanceof RowKey.ByKey byKey) {
      AlternateKey alternate = byKey.key();
      for (int i = 0; i < alternate.columns().size(); i++) {
        if (item.get(alternate.columns().get(i)) == null) {
          item.set(alternate.columns().get(i), byKey.values().get(i));
        }
      }
    }
  }

  Plan delete(Call call, TableSchema schema, RowKey key) {
    String mustBe = call.ifMatch();
    return Plan.write(
        Operation.DELETE,
        schema.name(),
        1,
        transaction -> {
          Row row = transaction.require(table(schema), key);
          refuseOtherVersion(mustBe, row);
          transaction.delete(table(schema), row);
          return Answers::noContent;
        });
  }

  Plan retrieve(Call call, TableSchema schema, RowKey key) throws WebApiException {
    Query query = runner.query(call, schema);
    return Plan.free(
        Operation.RETRIEVE,
        schema.name(),
        () -> {
          @Nullable Object[] cells = read(schema, key);
          String etag = RowWriter.etag(cells);
          boolean plain = query.expand().isEmpty() && !call.preferences().annotations();
          return call.ifNoneMatch().equals(etag) && plain
              ? Response.of(304, Answers.noContent().headers())
              : entity(call, schema, cells, 200, query);
        });
  }

  /** One column is set, or emptied, or read. */
  Plan column(Call call, TableSchema schema, RowKey key, String name) throws WebApiException {
    Integer position = schema.readPosition(name);
    if (position == null) {
      throw Errors.unknownSegment(name);
    }
    String method = call.request().method();
    if (method.equals("GET")) {
      return Plan.free(Operation.RETRIEVE, schema.name(), () -> value(call, schema, key, position));
    }
    byte[] body =
        method.equals("PUT")
            ? Columns.renamed(call.request().body(), schema, name)
            : Columns.emptied(name);
    Item item = new RowReader(runner.store().schema(), schema).readOne(body);
    return update(schema, key, item);
  }

  /** A row is changed, whatever its version, and nothing more is said. */
  Plan update(TableSchema schema, RowKey key, Item item) {
    return Plan.write(
        Operation.UPDATE,
        schema.name(),
        1,
        transaction -> {
          Table table = table(schema);
          Row unused = transaction.update(table, transaction.require(table, key), item);
          return Answers::noContent;
        });
  }

  private Response value(Call call, TableSchema schema, RowKey key, int position)
      throws WebApiException {
    @Nullable Object[] cells = read(schema, key);
    if (cells[position] == null) {
      return Answers.noContent();
    }
    return Answers.json(
        200,
        out -> {
          out.writeStartObject();
          out.writeStringProperty(
              "@odata.context",
              "%s/$metadata#%s(%s)/%s"
                  .formatted(
                      call.root(),
                      schema.setName(),
                      cells[TableSchema.ID],
                      schema.columns().get(position).readName()));
          out.writeName("value");
          RowWriter.value(out, cells[position]);
          out.writeEndObject();
        });
  }

  /** What a row holds; refused if it is not there. */
  @Nullable Object[] read(TableSchema schema, RowKey key) throws WebApiException {
    runner.lock().lock();
    try {
      Row row = runner.transaction().require(table(schema), key);
      return Objects.requireNonNull(row.cells());
    } finally {
      runner.lock().unlock();
    }
  }

  private Plan.Done done(
      Call call, TableSchema schema, Row row, boolean created, Query query, String keyText) {
    @Nullable Object[] cells = Objects.requireNonNull(row.cells());
    return new Plan.DoneRow(
        row,
        () -> {
          Response response =
              call.preferences().representation()
                  ? entity(call, schema, cells, created ? 201 : 200, query)
                  : Answers.noContent(
                      "%s/%s(%s)".formatted(call.root(), schema.setName(), keyText));
          if (schema.elastic()) {
            response.headers().add("x-ms-session-token", SESSION);
          }
          return response;
        });
  }

  /** An answer that is a row. */
  Response entity(
      Call call, TableSchema schema, @Nullable Object[] cells, int status, Query query) {
    RowWriter writer =
        new RowWriter(schema, query, call.preferences().annotations(), new RelatedRows(runner));
    Json.Text text =
        out -> {
          out.writeStartObject();
          out.writeStringProperty(
              "@odata.context",
              "%s/$metadata#%s%s/$entity"
                  .formatted(call.root(), schema.setName(), Queries.selected(schema, query)));
          writer.properties(out, cells);
          out.writeEndObject();
        };
    Response response = Answers.json(status, text);
    response.headers().add("ETag", RowWriter.etag(cells));
    if (call.preferences().representation() && !call.request().method().equals("GET")) {
      response
          .headers()
          .add("Preference-Applied", "return=representation")
          .add(
              "OData-EntityId",
              "%s/%s(%s)".formatted(call.root(), schema.setName(), cells[TableSchema.ID]));
    }
    return response;
  }

  private static void refuseOtherVersion(String mustBe, @Nullable Row row) throws WebApiException {
    if (row != null && !mustBe.isEmpty() && !mustBe.equals("*")) {
      if (!mustBe.equals(RowWriter.etag(Objects.requireNonNull(row.cells())))) {
        throw Errors.versionMismatch();
      }
    }
  }

  private Table table(TableSchema schema) {
    return runner.store().table(schema);
  }
}

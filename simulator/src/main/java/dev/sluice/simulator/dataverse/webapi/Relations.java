package dev.sluice.simulator.dataverse.webapi;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.odata.PercentText;
import dev.sluice.simulator.dataverse.odata.Query;
import dev.sluice.simulator.dataverse.odata.ResourceAddress;
import dev.sluice.simulator.dataverse.store.Item;
import dev.sluice.simulator.dataverse.store.Reference;
import dev.sluice.simulator.dataverse.store.Row;
import dev.sluice.simulator.dataverse.store.RowKey;
import dev.sluice.simulator.dataverse.store.Schema;
import dev.sluice.simulator.dataverse.store.TableSchema;
import dev.sluice.simulator.http.Response;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Plans what is asked of a row's navigation properties: to read where they lead, and by {@code
 * $ref} to associate rows and to disassociate them.
 */
final class Relations {
  private static final String REF = "$ref";

  private final Runner runner;
  private final Schema schema;
  private final Records records;
  private final Queries queries;

  Relations(Runner runner, Records records, Queries queries) {
    this.runner = runner;
    this.schema = runner.store().schema();
    this.records = records;
    this.queries = queries;
  }

  /** The plan for what follows a row in an address; null if that is no navigation property. */
  @Nullable Plan plan(Call call, TableSchema table, RowKey key, List<String> path)
      throws WebApiException {
    String segment = path.getFirst();
    int open = segment.indexOf('(');
    String property = open < 0 ? segment : segment.substring(0, open);
    TableSchema.Navigation single = table.navigation(property);
    Schema.OneToMany many = schema.collections(table).get(property);
    boolean ref = path.size() == 2 && path.getLast().equals(REF);
    boolean keyed = open >= 0 && segment.endsWith(")");
    if ((path.size() == 1 || ref) && single != null && open < 0) {
      return single(call, table, key, single, ref);
    }
    if ((path.size() == 1 || ref) && many != null && (open < 0 || keyed)) {
      String inside = keyed ? segment.substring(open + 1, segment.length() - 1) : null;
      RowKey related = new ResourceAddress(property, inside, List.of()).key(many.table());
      return many(call, table, key, many, related, ref);
    }
    if (single != null || many != null || ref) {
      throw Errors.unknownSegment(String.join("/", path));
    }
    return null;
  }

  private Plan single(
      Call call, TableSchema table, RowKey key, TableSchema.Navigation property, boolean ref)
      throws WebApiException {
    String method = call.request().method();
    TableSchema target = Objects.requireNonNull(schema.named(property.target()));
    if (method.equals("GET")) {
      return follow(call, table, key, property.column(), target, ref);
    }
    if (!ref || !(method.equals("PUT") || method.equals("DELETE"))) {
      throw Errors.wrongVerb(method, call.request().path());
    }
    Item item = new Item(table);
    item.set(
        property.column(),
        method.equals("DELETE")
            ? Item.Nothing.NULL
            : new Reference.Wanted(target.name(), referred(call, target)));
    return records.update(table, key, item);
  }

  /** The row to which a lookup leads, or only its address. */
  private Plan follow(
      Call call, TableSchema table, RowKey key, int column, TableSchema target, boolean ref)
      throws WebApiException {
    Query query = runner.query(call, target);
    return Plan.free(
        Operation.RETRIEVE,
        target.name(),
        () -> {
          if (!(records.read(table, key)[column] instanceof Reference(String to, UUID id))
              || !to.equals(target.name())) {
            return Answers.noContent();
          }
          return ref
              ? address(call, target, id)
              : records.entity(call, target, records.read(target, RowKey.of(id)), 200, query);
        });
  }

  private static Response address(Call call, TableSchema target, UUID id) {
    return Answers.json(
        200,
        out -> {
          out.writeStartObject();
          out.writeStringProperty("@odata.context", call.root() + "/$metadata#$ref");
          out.writeStringProperty(
              "@odata.id", "%s/%s(%s)".formatted(call.root(), target.setName(), id));
          out.writeEndObject();
        });
  }

  private Plan many(
      Call call,
      TableSchema table,
      RowKey key,
      Schema.OneToMany property,
      @Nullable RowKey related,
      boolean ref)
      throws WebApiException {
    String method = call.request().method();
    if (!ref && related == null && method.equals("GET")) {
      return queries.query(
          call,
          property.table(),
          query -> query.referringTo(property.column(), reference(table, key)));
    }
    if (ref && related == null && method.equals("POST")) {
      return change(table, key, property, referred(call, property.table()), true);
    }
    if (ref && method.equals("DELETE")) {
      String id = PercentText.fields(call.request().query()).get("$id");
      if (related == null && id == null) {
        throw Errors.badRequest(
            "The row to remove from '%s' must be named by its key or by $id."
                .formatted(call.request().path()));
      }
      return change(
          table,
          key,
          property,
          related != null
              ? related
              : ResourceAddress.reference(schema, property.table(), String.valueOf(id)),
          false);
    }
    throw Errors.wrongVerb(method, call.request().path());
  }

  private Reference reference(TableSchema table, RowKey key) throws WebApiException {
    UUID id = (UUID) Objects.requireNonNull(records.read(table, key)[TableSchema.ID]);
    return new Reference(table.name(), id);
  }

  /** Lets a row refer to another, or no longer, by the lookup behind a collection. */
  private Plan change(
      TableSchema table, RowKey key, Schema.OneToMany property, RowKey related, boolean refer) {
    return Plan.write(
        Operation.UPDATE,
        property.table().name(),
        1,
        transaction -> {
          Row one = transaction.require(runner.store().table(table), key);
          Row other = transaction.require(runner.store().table(property.table()), related);
          Reference reference = new Reference(table.name(), one.id());
          if (!refer
              && !reference.equals(Objects.requireNonNull(other.cells())[property.column()])) {
            throw Errors.notFound(property.table().name(), other.id());
          }
          Item item = new Item(property.table());
          item.set(property.column(), refer ? reference : Item.Nothing.NULL);
          Row unused = transaction.update(runner.store().table(property.table()), other, item);
          return Answers::noContent;
        });
  }

  private RowKey referred(Call call, TableSchema target) throws WebApiException {
    return ResourceAddress.reference(
        schema, target, Columns.reference(call.request().body(), target));
  }
}

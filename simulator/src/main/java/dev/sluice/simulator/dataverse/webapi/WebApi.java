package dev.sluice.simulator.dataverse.webapi;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.odata.FilterTokens;
import dev.sluice.simulator.dataverse.odata.PercentText;
import dev.sluice.simulator.dataverse.odata.ResourceAddress;
import dev.sluice.simulator.dataverse.store.RowKey;
import dev.sluice.simulator.dataverse.store.Schema;
import dev.sluice.simulator.dataverse.store.TableSchema;
import dev.sluice.simulator.http.Response;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Understands requests to the Web API. Whatever comes, there is a plan: for what cannot be
 * understood, one that refuses it. Thread-safe.
 */
public final class WebApi {
  /** What all addresses of the Web API start with, before the version. */
  static final String ROOT = "/api/data/";

  private static final Pattern ADDRESS = Pattern.compile(ROOT + "v9\\.[0-2](?:/(.*))?");
  private static final String ENTITY_NAMES = "EntityNames=";
  private static final int LONGEST_TARGET = 32_768;
  private static final int LONGEST_PART = 65_536;
  private static final String VERSION = "9.2.24014.00198";

  private final Schema schema;
  private final Runner runner;
  private final Records records;
  private final Bulk bulk;
  private final Queries queries;
  private final Relations relations;
  private final Metadata metadata;
  private final Batches batches;

  /** Over what the runner runs on; names for divisions of batches come from {@code ids}. */
  public WebApi(Runner runner, Supplier<UUID> ids) {
    this.runner = runner;
    this.schema = runner.store().schema();
    this.records = new Records(runner);
    this.bulk = new Bulk(runner);
    this.queries = new Queries(runner);
    this.relations = new Relations(runner, records, queries);
    this.metadata = new Metadata(schema);
    this.batches = new Batches(runner, part -> plan(part, true), ids);
  }

  /** Whether an address is one of the Web API. */
  public static boolean covers(String path) {
    return path.startsWith(ROOT);
  }

  /** What a request asks for. */
  public Plan plan(Call call) {
    return plan(call, false);
  }

  private Plan plan(Call call, boolean part) {
    try {
      if (call.request().target().length() > (part ? LONGEST_PART : LONGEST_TARGET)) {
        throw Errors.badRequest("Invalid URI: The Uri string is too long.");
      }
      Matcher root = ADDRESS.matcher(call.request().path());
      if (root.matches()) {
        return plan(call, root.group(1) == null ? "" : root.group(1), part);
      }
      if (part && call.request().path().startsWith("/$")) {
        return plan(call, call.request().path().substring(1), true);
      }
      throw Errors.unknownSegment(call.request().path());
    } catch (WebApiException e) {
      return Plan.refused(e);
    }
  }

  private Plan plan(Call call, String path, boolean part) throws WebApiException {
    ResourceAddress address = ResourceAddress.parse(path);
    String first = address.first();
    return switch (first) {
      case "" -> metadata.document(call);
      case "WhoAmI" -> get(call, Operation.WHO_AM_I, () -> whoAmI(call));
      case "RetrieveVersion" -> get(call, Operation.WHO_AM_I, () -> version(call));
      case "RetrieveTotalRecordCount" -> get(call, Operation.QUERY, () -> total(call, address));
      case "EntityDefinitions" -> {
        requireGet(call);
        yield metadata.definitions(call, address);
      }
      case "sdkmessagefilters" -> {
        requireGet(call);
        yield metadata.messageFilters(call);
      }
      case "$metadata" -> {
        requireGet(call);
        yield metadata.csdl();
      }
      case "$batch" -> batch(call, part);
      default -> table(call, address);
    };
  }

  private static Plan get(Call call, Operation operation, Plan.Free action) throws WebApiException {
    requireGet(call);
    return Plan.free(operation, null, action);
  }

  private Plan batch(Call call, boolean part) throws WebApiException {
    if (part) {
      throw Errors.payload("$batch", "A batch must not contain a batch.");
    }
    if (!call.request().method().equals("POST")) {
      throw Errors.wrongVerb(call.request().method(), "$batch");
    }
    return batches.plan(call);
  }

  private Plan table(Call call, ResourceAddress address) throws WebApiException {
    TableSchema table = schema.addressed(address.first());
    if (table == null) {
      if (address.first().startsWith("$")) {
        throw Errors.notImplemented(
            "The simulated environment takes content ids in bodies, but not in addresses.");
      }
      throw Errors.unknownSegment(address.first());
    }
    RowKey key = address.key(table);
    List<String> rest = address.rest();
    if (key == null) {
      return set(call, table, rest);
    }
    String method = call.request().method();
    if (rest.isEmpty()) {
      return row(call, table, key, address);
    }
    Plan related = relations.plan(call, table, key, rest);
    if (related != null) {
      return related;
    }
    if (rest.size() == 1 && List.of("GET", "PUT", "DELETE").contains(method)) {
      return records.column(call, table, key, rest.getFirst());
    }
    throw Errors.unknownSegment(String.join("/", rest));
  }

  private Plan set(Call call, TableSchema table, List<String> rest) throws WebApiException {
    String method = call.request().method();
    if (rest.isEmpty()) {
      return switch (method) {
        case "GET" -> queries.query(call, table);
        case "POST" -> records.create(call, table);
        default -> throw Errors.wrongVerb(method, table.setName());
      };
    }
    String segment = rest.getFirst();
    if (segment.equals("$count") && method.equals("GET")) {
      return queries.count(call, table);
    }
    if (segment.startsWith(Bulk.PREFIX)) {
      return bulk.plan(call, table, segment);
    }
    throw Errors.unknownSegment(segment);
  }

  private Plan row(Call call, TableSchema table, RowKey key, ResourceAddress address)
      throws WebApiException {
    String method = call.request().method();
    return switch (method) {
      case "GET" -> records.retrieve(call, table, partitioned(call, table, key));
      case "PATCH" -> records.patch(call, table, key, String.valueOf(address.arguments()));
      case "DELETE" -> records.delete(call, table, partitioned(call, table, key));
      default -> throw Errors.wrongVerb(method, table.setName());
    };
  }

  /** Reads and deletes may name the partition beside the key; writes may not. */
  private RowKey partitioned(Call call, TableSchema table, RowKey key) throws WebApiException {
    @Nullable String partition = runner.query(call, table).partition();
    return partition != null && key instanceof RowKey.ById byId
        ? new RowKey.ById(byId.id(), partition)
        : key;
  }

  private static void requireGet(Call call) throws WebApiException {
    if (!call.request().method().equals("GET")) {
      throw Errors.wrongVerb(call.request().method(), call.request().path());
    }
  }

  private static Response whoAmI(Call call) {
    return Answers.json(
        200,
        out -> {
          out.writeStartObject();
          out.writeStringProperty(
              "@odata.context", call.root() + "/$metadata#Microsoft.Dynamics.CRM.WhoAmIResponse");
          out.writeStringProperty("BusinessUnitId", call.caller().businessUnit().toString());
          out.writeStringProperty("UserId", call.caller().user().toString());
          out.writeStringProperty("OrganizationId", call.caller().organization().toString());
          out.writeEndObject();
        });
  }

  private static Response version(Call call) {
    return Answers.json(
        200,
        out -> {
          out.writeStartObject();
          out.writeStringProperty(
              "@odata.context",
              call.root() + "/$metadata#Microsoft.Dynamics.CRM.RetrieveVersionResponse");
          out.writeStringProperty("Version", VERSION);
          out.writeEndObject();
        });
  }

  /** The list of names, in the address or behind an alias. */
  private static String entityNames(Call call, ResourceAddress address) throws WebApiException {
    String arguments = address.arguments() == null ? "" : address.arguments().strip();
    if (!arguments.startsWith(ENTITY_NAMES)) {
      throw Errors.unknownSegment(address.first());
    }
    String names = arguments.substring(ENTITY_NAMES.length()).strip();
    if (!names.startsWith("@")) {
      return names;
    }
    String value = PercentText.fields(call.request().query()).get(names);
    if (value == null) {
      throw Errors.badRequest("The parameter alias '%s' has no value.".formatted(names));
    }
    return value;
  }

  private Response total(Call call, ResourceAddress address) throws WebApiException {
    List<String> wanted = FilterTokens.texts(entityNames(call, address));
    int[] counts = new int[wanted.size()];
    runner.lock().lock();
    try {
      for (int i = 0; i < counts.length; i++) {
        TableSchema table = schema.named(wanted.get(i));
        if (table == null) {
          throw Errors.unknownSegment(wanted.get(i));
        }
        counts[i] = runner.store().table(table).size();
      }
    } finally {
      runner.lock().unlock();
    }
    return Answers.json(
        200,
        out -> {
          out.writeStartObject();
          out.writeStringProperty(
              "@odata.context",
              call.root() + "/$metadata#Microsoft.Dynamics.CRM.RetrieveTotalRecordCountResponse");
          out.writeName("EntityRecordCountCollection");
          out.writeStartObject();
          out.writeNumberProperty("Count", counts.length);
          out.writeBooleanProperty("IsReadOnly", false);
          out.writeName("Keys");
          out.writeStartArray();
          wanted.forEach(out::writeString);
          out.writeEndArray();
          out.writeName("Values");
          out.writeStartArray();
          for (int count : counts) {
            out.writeNumber(count);
          }
          out.writeEndArray();
          out.writeEndObject();
          out.writeEndObject();
        });
  }
}

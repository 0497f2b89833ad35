package dev.sluice.simulator.dataverse.webapi;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.odata.PercentText;
import dev.sluice.simulator.dataverse.odata.ResourceAddress;
import dev.sluice.simulator.dataverse.store.Schema;
import dev.sluice.simulator.dataverse.store.TableSchema;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Response;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Plans questions about tables: {@code $metadata}, {@code EntityDefinitions} and {@code
 * sdkmessagefilters}.
 */
final class Metadata {
  private static final Pattern NAMED = Pattern.compile("LogicalName\\s*=\\s*'([^']*)'");
  private static final Pattern NAME_FILTER = Pattern.compile("LogicalName eq '([^']*)'");
  private static final Pattern MESSAGE = Pattern.compile("sdkmessageid/name eq '([^']*)'");
  private static final Pattern TABLE = Pattern.compile("primaryobjecttypecode eq '([^']*)'");
  private static final Pattern CAST =
      Pattern.compile("Microsoft\\.Dynamics\\.CRM\\.(\\w+)AttributeMetadata");

  private final Definitions definitions;
  private final Schema schema;

  Metadata(Schema schema) {
    this.schema = schema;
    this.definitions = new Definitions(schema);
  }

  /** {@code EntityDefinitions…}: one table, all of them, or a part of one. */
  Plan definitions(Call call, ResourceAddress address) throws WebApiException {
    Map<String, String> options = PercentText.fields(call.request().query());
    Projection projection = Projection.of(options.get("$select"), options.get("$expand"));
    String context = call.root() + "/$metadata#EntityDefinitions";
    if (address.arguments() == null) {
      List<Map<String, @Nullable Object>> all = new ArrayList<>();
      String only = found(NAME_FILTER, options.getOrDefault("$filter", ""));
      for (TableSchema table : schema.tables()) {
        if (only == null || only.equals(table.name())) {
          all.add(projection.apply(definitions.table(table)));
        }
      }
      return answer(list(context, all));
    }
    TableSchema table = table(address.arguments());
    Map<String, @Nullable Object> whole = definitions.table(table);
    if (address.rest().isEmpty()) {
      Map<String, @Nullable Object> entity = new LinkedHashMap<>();
      entity.put("@odata.context", context + "/$entity");
      entity.putAll(projection.apply(whole));
      return answer(entity);
    }
    return part(context, table, whole, address.rest(), projection, options);
  }

  private Plan part(
      String context,
      TableSchema table,
      Map<String, @Nullable Object> whole,
      List<String> path,
      Projection projection,
      Map<String, String> options)
      throws WebApiException {
    String name = path.getFirst();
    String one = found(NAMED, name);
    String bare = one == null ? name : name.substring(0, name.indexOf('('));
    if (!(whole.get(bare) instanceof List<?> parts)) {
      throw Errors.unknownSegment(name);
    }
    String cast = path.size() > 1 ? found(CAST, path.get(1)) : null;
    String wanted = one != null ? one : found(NAME_FILTER, options.getOrDefault("$filter", ""));
    List<Map<String, @Nullable Object>> chosen = new ArrayList<>();
    for (Object part : parts) {
      Map<String, @Nullable Object> each = Definitions.map(part);
      boolean typed =
          cast == null
              || String.valueOf(each.get("@odata.type")).contains("." + cast + "Attribute");
      if (typed && (wanted == null || wanted.equals(each.get("LogicalName")))) {
        chosen.add(projection.apply(each));
      }
    }
    if (one == null) {
      return answer(list(context + "('" + table.name() + "')/" + bare, chosen));
    }
    if (chosen.isEmpty()) {
      throw new WebApiException(
          404, "0x80060888", "Could not find an attribute with specified name: " + one);
    }
    return answer(chosen.getFirst());
  }

  private TableSchema table(String arguments) throws WebApiException {
    String name = found(NAMED, arguments);
    for (TableSchema table : schema.tables()) {
      if (table.name().equals(name)
          || Definitions.metadataId(table.name()).toString().equals(arguments)) {
        return table;
      }
    }
    throw new WebApiException(
        404,
        "0x80060888",
        "Could not find an entity with specified entity name: "
            + (name == null ? arguments : name));
  }

  /** Which messages work on which tables. */
  Plan messageFilters(Call call) {
    Map<String, String> options = PercentText.fields(call.request().query());
    String filter = options.getOrDefault("$filter", "");
    for (Map.Entry<String, String> option : options.entrySet()) {
      if (option.getKey().startsWith("@")) {
        filter = filter.replace(option.getKey(), option.getValue());
      }
    }
    String message = found(MESSAGE, filter);
    String only = found(TABLE, filter);
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (TableSchema table : schema.tables()) {
      if ((only == null || only.equals(table.name())) && supports(table, message)) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("@odata.etag", "W/\"2009110\"");
        row.put("primaryobjecttypecode", table.name());
        row.put(
            "sdkmessagefilterid", Definitions.metadataId(message + "/" + table.name()).toString());
        rows.add(row);
      }
    }
    return answer(list(call.root() + "/$metadata#sdkmessagefilters", rows));
  }

  /** UpsertMultiple is listed for elastic tables only, as the service does. */
  private static boolean supports(TableSchema table, @Nullable String message) {
    return switch (message) {
      case "CreateMultiple", "UpdateMultiple" -> table.bulk();
      case "UpsertMultiple", "DeleteMultiple" -> table.elastic();
      case "Create", "Update", "Delete", "Retrieve", "RetrieveMultiple", "Upsert" -> true;
      case null, default -> false;
    };
  }

  /** The whole model in one document. */
  Plan csdl() {
    return Plan.free(
        Operation.METADATA,
        null,
        () ->
            Response.of(
                200,
                Headers.of("Content-Type", "application/xml", "OData-Version", "4.0"),
                Csdl.of(schema)));
  }

  /** The names of all tables: the service document. */
  Plan document(Call call) {
    List<Map<String, @Nullable Object>> sets = new ArrayList<>();
    for (TableSchema table : schema.tables()) {
      sets.add(Map.of("name", table.setName(), "kind", "EntitySet", "url", table.setName()));
    }
    return answer(list(call.root() + "/$metadata", sets));
  }

  private static Map<String, @Nullable Object> list(
      String context, List<Map<String, @Nullable Object>> value) {
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("@odata.context", context);
    answer.put("value", value);
    return answer;
  }

  private static Plan answer(Map<String, @Nullable Object> body) {
    Response response = Answers.json(200, out -> Definitions.write(out, body));
    return Plan.free(Operation.METADATA, null, () -> response);
  }

  private static @Nullable String found(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : null;
  }
}

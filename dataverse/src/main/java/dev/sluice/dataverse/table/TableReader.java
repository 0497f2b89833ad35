package dev.sluice.dataverse.table;

import static java.util.Objects.requireNonNull;

import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.service.Calls;
import dev.sluice.dataverse.service.FaultException;
import dev.sluice.dataverse.table.Table.BulkMessage;
import dev.sluice.gate.RefusedException;
import dev.sluice.gate.wire.PercentEncoding;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.gate.words.Spelling;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Asks the service what a table is like: a handful of requests through a gate, none of which writes
 * anything. Thread-safe; remembers nothing but the names of tables.
 */
public final class TableReader {
  private static final String DEFINITION =
      "$select=LogicalName,EntitySetName,PrimaryIdAttribute,TableType"
          + "&$expand=Keys($select=LogicalName,KeyAttributes,EntityKeyIndexStatus),"
          + "Attributes($select=LogicalName,AttributeType,AttributeTypeName,IsValidForCreate,"
          + "IsValidForUpdate,AttributeOf,DisplayName,RequiredLevel),"
          + "ManyToOneRelationships($select=ReferencingAttribute,ReferencedEntity,"
          + "ReferencingEntityNavigationPropertyName)";

  private final Calls calls;
  private volatile Map<String, String> entitySets = Map.of();

  /** Asks through these calls. */
  public TableReader(Calls calls) {
    this.calls = requireNonNull(calls, "calls");
  }

  /**
   * Describes a table.
   *
   * @param logicalName singular and in small letters, as in {@code account}
   * @throws FaultException if there is no such table, or the service does not say
   */
  public Table read(String logicalName) throws IOException, InterruptedException {
    JsonNode definition = definition(logicalName);
    boolean elastic = definition.path("TableType").asString("").equals("Elastic");
    Map<String, JsonNode> details = new HashMap<>();
    for (String type : Columns.detailedTypes(definition)) {
      for (JsonNode detail : value(typed(logicalName, type))) {
        details.put(detail.path("LogicalName").asString(""), detail);
      }
    }
    List<Column> columns =
        Columns.read(definition, details, entitySets(definition.path("ManyToOneRelationships")));
    return new Table(
        logicalName,
        definition.path("EntitySetName").asString(""),
        definition.path("PrimaryIdAttribute").asString(""),
        elastic,
        columns,
        keys(definition),
        elastic ? EnumSet.allOf(BulkMessage.class) : bulk(logicalName));
  }

  private JsonNode definition(String logicalName) throws IOException, InterruptedException {
    WebRequest request = get(entity(logicalName) + "?" + DEFINITION);
    Calls.Outcome outcome = calls.call(request, true);
    Fault fault = outcome.fault();
    if (fault != null) {
      throw new FaultException(
          outcome.answer().status() == 404
              ? "there is no table '%s'; %s"
                  .formatted(
                      logicalName,
                      meant(logicalName)
                          .map("did you mean %s?"::formatted)
                          .orElse("give its logical name, such as account"))
              : "the table '%s' cannot be looked up".formatted(logicalName),
          fault);
    }
    return outcome.json();
  }

  /** The table that was probably meant; none if the service does not tell what there is. */
  private Optional<String> meant(String typed) throws InterruptedException {
    try {
      return Spelling.closest(typed.toLowerCase(Locale.ROOT), entitySets().keySet());
    } catch (IOException | RefusedException e) {
      return Optional.empty(); // the name is wrong all the same, and that is what matters
    }
  }

  private static String entity(String logicalName) {
    return "EntityDefinitions(LogicalName=%s)".formatted(literal(logicalName));
  }

  private static String literal(String text) {
    return "'" + PercentEncoding.encode(text.replace("'", "''")) + "'";
  }

  private WebRequest get(String resource) {
    return calls.service().getOwn(calls.service().address(resource));
  }

  private JsonNode value(String resource) throws IOException, InterruptedException {
    return calls.read(get(resource)).json().path("value");
  }

  private static String typed(String logicalName, String type) {
    return "%s/Attributes/Microsoft.Dynamics.CRM.%sAttributeMetadata?%s"
        .formatted(entity(logicalName), type, Columns.detailsOf(type));
  }

  private static List<List<String>> keys(JsonNode definition) {
    List<List<String>> keys = new ArrayList<>();
    for (JsonNode key : definition.path("Keys")) {
      if (key.path("EntityKeyIndexStatus").asString("").equals("Active")) {
        List<String> columns = new ArrayList<>();
        key.path("KeyAttributes").forEach(column -> columns.add(column.asString("")));
        keys.add(columns);
      }
    }
    return keys;
  }

  /** The names in addresses of tables that look-ups point to: one question, asked once. */
  private Map<String, String> entitySets(JsonNode relations)
      throws IOException, InterruptedException {
    Map<String, String> known = entitySets;
    boolean complete = true;
    for (JsonNode relation : relations) {
      complete &= known.containsKey(relation.path("ReferencedEntity").asString(""));
    }
    return complete ? known : entitySets();
  }

  private Map<String, String> entitySets() throws IOException, InterruptedException {
    Map<String, String> names = new HashMap<>();
    for (JsonNode table : value("EntityDefinitions?$select=LogicalName,EntitySetName")) {
      names.put(table.path("LogicalName").asString(""), table.path("EntitySetName").asString(""));
    }
    entitySets = Map.copyOf(names);
    return names;
  }

  /**
   * Which bulk messages a standard table takes. An upsert is never listed, and there if both others
   * are; a delete may be listed, and is never there.
   */
  private Set<BulkMessage> bulk(String logicalName) throws IOException, InterruptedException {
    Set<BulkMessage> bulk = EnumSet.noneOf(BulkMessage.class);
    if (knows("CreateMultiple", logicalName)) {
      bulk.add(BulkMessage.CREATE_MULTIPLE);
    }
    if (knows("UpdateMultiple", logicalName)) {
      bulk.add(BulkMessage.UPDATE_MULTIPLE);
    }
    if (bulk.size() == 2) {
      bulk.add(BulkMessage.UPSERT_MULTIPLE);
    }
    return bulk;
  }

  private boolean knows(String message, String logicalName)
      throws IOException, InterruptedException {
    return !value(
            "sdkmessagefilters?$select=sdkmessagefilterid&$filter=sdkmessageid/name%20eq%20@message"
                + "%20and%20primaryobjecttypecode%20eq%20@table&@message="
                + literal(message)
                + "&@table="
                + literal(logicalName))
        .isEmpty();
  }
}

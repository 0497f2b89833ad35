package dev.sluice.simulator.dataverse.webapi;

import dev.sluice.simulator.dataverse.odata.RowWriter;
import dev.sluice.simulator.dataverse.store.AlternateKey;
import dev.sluice.simulator.dataverse.store.Column;
import dev.sluice.simulator.dataverse.store.ColumnType;
import dev.sluice.simulator.dataverse.store.Schema;
import dev.sluice.simulator.dataverse.store.TableSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Tables, their columns, keys and relations, as the metadata describes them. */
final class Definitions {
  private static final Set<String> EXPANDABLE =
      Set.of(
          "Attributes",
          "Keys",
          "ManyToOneRelationships",
          "OneToManyRelationships",
          "OptionSet",
          "GlobalOptionSet");

  private final Schema schema;

  Definitions(Schema schema) {
    this.schema = schema;
  }

  /** Whether a property is left out unless it is asked for. */
  static boolean isExpandable(String property) {
    return EXPANDABLE.contains(property);
  }

  /** The id of a definition, always the same for one name. */
  static UUID metadataId(String name) {
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
  }

  Map<String, @Nullable Object> table(TableSchema table) {
    Map<String, @Nullable Object> definition = new LinkedHashMap<>();
    definition.put("LogicalName", table.name());
    definition.put("SchemaName", table.schemaName());
    definition.put("EntitySetName", table.setName());
    definition.put("LogicalCollectionName", table.setName());
    definition.put("PrimaryIdAttribute", table.idName());
    definition.put("PrimaryNameAttribute", table.primaryName());
    definition.put("TableType", table.elastic() ? "Elastic" : "Standard");
    definition.put("ChangeTrackingEnabled", true);
    definition.put("IsOptimisticConcurrencyEnabled", true);
    definition.put("OwnershipType", "UserOwned");
    definition.put("ObjectTypeCode", table.objectTypeCode());
    definition.put("MetadataId", metadataId(table.name()).toString());
    definition.put("Keys", keys(table));
    definition.put("Attributes", attributes(table));
    definition.put("ManyToOneRelationships", relations(table));
    definition.put("OneToManyRelationships", incoming(table));
    return definition;
  }

  private static List<Map<String, @Nullable Object>> keys(TableSchema table) {
    List<Map<String, @Nullable Object>> keys = new ArrayList<>();
    if (table.elastic()) {
      keys.add(
          key(table, "keyfornosqlentitywithpkpartitionid", List.of(table.idName(), "partitionid")));
    }
    for (AlternateKey key : table.keys()) {
      keys.add(key(table, key.name(), key.columnNames()));
    }
    return keys;
  }

  private static Map<String, @Nullable Object> key(
      TableSchema table, String name, List<String> columns) {
    Map<String, @Nullable Object> key = new LinkedHashMap<>();
    key.put("LogicalName", name);
    key.put("SchemaName", name);
    key.put("EntityLogicalName", table.name());
    key.put("KeyAttributes", columns);
    key.put("EntityKeyIndexStatus", "Active");
    key.put("MetadataId", metadataId(table.name() + "/" + name).toString());
    return key;
  }

  private static List<Map<String, @Nullable Object>> attributes(TableSchema table) {
    List<Map<String, @Nullable Object>> attributes = new ArrayList<>();
    for (int i = 0; i < table.columns().size(); i++) {
      attributes.add(attribute(table, table.columns().get(i), i == TableSchema.ID));
    }
    return attributes;
  }

  private static Map<String, @Nullable Object> attribute(
      TableSchema table, Column column, boolean primary) {
    Map<String, @Nullable Object> attribute = new LinkedHashMap<>();
    ColumnType type = column.type();
    String kind = type.attributeType();
    attribute.put(
        "@odata.type",
        "#Microsoft.Dynamics.CRM."
            + (type == ColumnType.UNIQUE_ID ? "" : kind)
            + "AttributeMetadata");
    attribute.put("LogicalName", column.name());
    attribute.put("SchemaName", column.schemaName());
    attribute.put("EntityLogicalName", table.name());
    attribute.put("AttributeType", kind);
    attribute.put("AttributeTypeName", Map.of("Value", type.attributeTypeName()));
    attribute.put("IsValidForCreate", column.writable());
    attribute.put("IsValidForUpdate", column.writable() && !primary);
    attribute.put("IsValidForRead", true);
    attribute.put("IsPrimaryId", primary);
    attribute.put("IsPrimaryName", column.name().equals(table.primaryName()));
    attribute.put("AttributeOf", null);
    attribute.put("DisplayName", label(words(column.schemaName())));
    attribute.put(
        "RequiredLevel",
        required(
            primary
                ? "SystemRequired"
                : column.name().equals(table.primaryName()) ? "ApplicationRequired" : "None"));
    attribute.put("MetadataId", metadataId(table.name() + "." + column.name()).toString());
    switch (type) {
      case STRING, MEMO -> attribute.put("MaxLength", column.maxLength());
      case INTEGER, DECIMAL, DOUBLE, MONEY -> {
        attribute.put("MinValue", column.least());
        attribute.put("MaxValue", column.most());
        if (type != ColumnType.INTEGER) {
          attribute.put("Precision", column.precision());
        }
      }
      case DATE_TIME, DATE_ONLY -> {
        boolean day = type == ColumnType.DATE_ONLY;
        attribute.put("Format", day ? "DateOnly" : "DateAndTime");
        attribute.put("DateTimeBehavior", Map.of("Value", day ? "DateOnly" : "UserLocal"));
      }
      case CHOICE, STATE, STATUS -> attribute.put("OptionSet", options(table, column));
      case LOOKUP -> attribute.put("Targets", column.targets());
      case BIGINT, BOOLEAN, UNIQUE_ID -> {} // nothing more to say
    }
    return attribute;
  }

  /** A schema name as people would call it: {@code AccountNumber} is Account Number. */
  private static String words(String schemaName) {
    String apart = schemaName.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ");
    return apart.substring(0, 1).toUpperCase(Locale.ROOT) + apart.substring(1);
  }

  private static Map<String, Object> label(String text) {
    Map<String, @Nullable Object> localized = new LinkedHashMap<>();
    localized.put("Label", text);
    localized.put("LanguageCode", 1033);
    return Map.of("LocalizedLabels", List.of(localized), "UserLocalizedLabel", localized);
  }

  private static Map<String, @Nullable Object> required(String value) {
    Map<String, @Nullable Object> level = new LinkedHashMap<>();
    level.put("Value", value);
    level.put("CanBeChanged", !value.equals("SystemRequired"));
    level.put("ManagedPropertyLogicalName", "canmodifyrequirementlevelsettings");
    return level;
  }

  private static Map<String, @Nullable Object> options(TableSchema table, Column column) {
    List<Map<String, @Nullable Object>> options = new ArrayList<>();
    column
        .options()
        .forEach(
            (value, label) -> {
              Map<String, @Nullable Object> option = new LinkedHashMap<>();
              option.put("Value", value);
              option.put("Label", label(label));
              options.add(option);
            });
    Map<String, @Nullable Object> set = new LinkedHashMap<>();
    set.put("Name", table.name() + "_" + column.name());
    set.put("IsGlobal", false);
    set.put("Options", options);
    return set;
  }

  private List<Map<String, @Nullable Object>> relations(TableSchema table) {
    List<Map<String, @Nullable Object>> relations = new ArrayList<>();
    for (Column column : table.columns()) {
      for (Column.Link link : column.links()) {
        relations.add(relation(table, column, link));
      }
    }
    return relations;
  }

  /** The same relations as those who are referred to see them. */
  private List<Map<String, @Nullable Object>> incoming(TableSchema table) {
    List<Map<String, @Nullable Object>> relations = new ArrayList<>();
    for (TableSchema other : schema.tables()) {
      for (Column column : other.columns()) {
        for (Column.Link link : column.links()) {
          if (link.target().equals(table.name())) {
            relations.add(relation(other, column, link));
          }
        }
      }
    }
    return relations;
  }

  private Map<String, @Nullable Object> relation(
      TableSchema table, Column column, Column.Link link) {
    Map<String, @Nullable Object> relation = new LinkedHashMap<>();
    relation.put("SchemaName", link.relationship());
    relation.put("ReferencingEntity", table.name());
    relation.put("ReferencingAttribute", column.name());
    relation.put("ReferencedEntity", link.target());
    relation.put(
        "ReferencedAttribute", Objects.requireNonNull(schema.named(link.target())).idName());
    relation.put("ReferencingEntityNavigationPropertyName", link.property());
    relation.put("ReferencedEntityNavigationPropertyName", link.relationship());
    relation.put("MetadataId", metadataId(link.relationship()).toString());
    return relation;
  }

  /** A map that was made here. */
  @SuppressWarnings("unchecked") // all maps of definitions are made above, with these types
  static Map<String, @Nullable Object> map(@Nullable Object value) {
    return (Map<String, @Nullable Object>) Objects.requireNonNull(value);
  }

  /** Writes a definition, or a part of one, as JSON. */
  static void write(JsonGenerator out, @Nullable Object value) {
    switch (value) {
      case Map<?, ?> map -> {
        out.writeStartObject();
        map.forEach(
            (name, each) -> {
              out.writeName((String) name);
              write(out, each);
            });
        out.writeEndObject();
      }
      case List<?> list -> {
        out.writeStartArray();
        list.forEach(each -> write(out, each));
        out.writeEndArray();
      }
      case null, default -> RowWriter.value(out, value);
    }
  }
}

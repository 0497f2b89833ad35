package dev.sluice.dataverse.table;

import dev.sluice.dataverse.table.Column.Range;
import dev.sluice.dataverse.table.Column.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads columns from a table's definition, and from what is only told of each type by itself. */
final class Columns {
  private static final Set<String> TEXTS = Set.of("String", "Memo");
  private static final Set<String> NUMBERS = Set.of("Integer", "Decimal", "Double", "Money");
  private static final Set<String> CHOICES =
      Set.of("Picklist", "State", "Status", "MultiSelectPicklist");

  private static final Set<String> REQUIRED = Set.of("ApplicationRequired", "SystemRequired");

  private Columns() {}

  /** The types of which more must be asked, as the service names them. */
  static Set<String> detailedTypes(JsonNode definition) {
    Set<String> types = new TreeSet<>();
    for (JsonNode attribute : definition.path("Attributes")) {
      String type = typeName(attribute);
      boolean detailed =
          TEXTS.contains(type)
              || NUMBERS.contains(type)
              || CHOICES.contains(type)
              || type.equals("DateTime");
      if (detailed && isWritten(attribute)) {
        types.add(type);
      }
    }
    return types;
  }

  /** What to ask of a type. */
  static String detailsOf(String type) {
    if (CHOICES.contains(type)) {
      return "$select=LogicalName&$expand=OptionSet,GlobalOptionSet";
    }
    if (NUMBERS.contains(type)) {
      return "$select=LogicalName,MinValue,MaxValue";
    }
    return TEXTS.contains(type)
        ? "$select=LogicalName,MaxLength"
        : "$select=LogicalName,DateTimeBehavior,Format";
  }

  /**
   * The columns that can be written.
   *
   * @param details by the column's name
   * @param entitySets the names of tables in addresses, by their logical names
   */
  static List<Column> read(
      JsonNode definition, Map<String, JsonNode> details, Map<String, String> entitySets) {
    List<Column> columns = new ArrayList<>();
    for (JsonNode attribute : definition.path("Attributes")) {
      String name = attribute.path("LogicalName").asString("");
      JsonNode detail = details.getOrDefault(name, attribute);
      Column.Type type = type(attribute, detail);
      if (type != null && isWritten(attribute)) {
        columns.add(
            new Column(
                name,
                label(attribute.path("DisplayName")),
                type,
                REQUIRED.contains(attribute.path("RequiredLevel").path("Value").asString("")),
                attribute.path("IsValidForCreate").asBoolean(false),
                attribute.path("IsValidForUpdate").asBoolean(false),
                Math.max(0, detail.path("MaxLength").asInt(0)),
                range(detail),
                options(detail),
                type == Column.Type.LOOKUP
                    ? targets(definition, attribute, entitySets)
                    : List.of()));
      }
    }
    return columns;
  }

  /** Columns that shadow others, such as the names of look-ups, are read only. */
  private static boolean isWritten(JsonNode attribute) {
    return attribute.path("AttributeOf").asString("").isEmpty()
        && (attribute.path("IsValidForCreate").asBoolean(false)
            || attribute.path("IsValidForUpdate").asBoolean(false));
  }

  /** Multiple choices, files and images are all called virtual; a second name tells them apart. */
  private static String typeName(JsonNode attribute) {
    String type = attribute.path("AttributeType").asString("");
    return type.equals("Virtual")
            && attribute
                .path("AttributeTypeName")
                .path("Value")
                .asString("")
                .equals("MultiSelectPicklistType")
        ? "MultiSelectPicklist"
        : type;
  }

  private static Column.@Nullable Type type(JsonNode attribute, JsonNode detail) {
    return switch (typeName(attribute)) {
      case "String" -> Column.Type.TEXT;
      case "Memo" -> Column.Type.MEMO;
      case "Integer" -> Column.Type.INTEGER;
      case "BigInt" -> Column.Type.BIG_INTEGER;
      case "Decimal" -> Column.Type.DECIMAL;
      case "Double" -> Column.Type.DOUBLE;
      case "Money" -> Column.Type.MONEY;
      case "Boolean" -> Column.Type.BOOLEAN;
      case "DateTime" ->
          detail.path("DateTimeBehavior").path("Value").asString("").equals("DateOnly")
              ? Column.Type.DATE
              : Column.Type.DATE_TIME;
      case "Picklist", "State", "Status" -> Column.Type.CHOICE;
      case "MultiSelectPicklist" -> Column.Type.MULTI_CHOICE;
      case "Lookup", "Customer", "Owner" -> Column.Type.LOOKUP;
      case "Uniqueidentifier" -> Column.Type.UNIQUE_ID;
      default -> null; // files, images, parties: no bulk message writes them
    };
  }

  private static Optional<Range> range(JsonNode detail) {
    JsonNode least = detail.path("MinValue");
    JsonNode most = detail.path("MaxValue");
    return least.isNumber() && most.isNumber()
        ? Optional.of(new Range(least.decimalValue(), most.decimalValue()))
        : Optional.empty();
  }

  /** A label that two options share is nobody's: whoever means one of them gives its number. */
  private static Map<String, Integer> options(JsonNode detail) {
    JsonNode own = detail.path("OptionSet").path("Options");
    JsonNode options = own.isEmpty() ? detail.path("GlobalOptionSet").path("Options") : own;
    Map<String, Integer> numbers = new HashMap<>();
    Set<String> shared = new HashSet<>();
    for (JsonNode option : options) {
      String label = label(option.path("Label"));
      Integer before = numbers.put(label, option.path("Value").asInt(0));
      if (before != null || label.isEmpty()) {
        shared.add(label);
      }
    }
    numbers.keySet().removeAll(shared);
    return numbers;
  }

  private static String label(JsonNode label) {
    String users = label.path("UserLocalizedLabel").path("Label").asString("");
    return users.isEmpty()
        ? label.path("LocalizedLabels").path(0).path("Label").asString("")
        : users;
  }

  private static List<Target> targets(
      JsonNode definition, JsonNode attribute, Map<String, String> entitySets) {
    String name = attribute.path("LogicalName").asString("");
    List<Target> targets = new ArrayList<>();
    for (JsonNode relation : definition.path("ManyToOneRelationships")) {
      if (relation.path("ReferencingAttribute").asString("").equals(name)) {
        String navigation = relation.path("ReferencingEntityNavigationPropertyName").asString(name);
        // An owner is a user or a team, and both are bound by one property.
        List<String> tables =
            relation.path("ReferencedEntity").asString("").equals("owner")
                ? List.of("systemuser", "team")
                : List.of(relation.path("ReferencedEntity").asString(""));
        for (String table : tables) {
          String set = entitySets.get(table);
          if (set != null && !set.isEmpty()) {
            targets.add(new Target(table, set, navigation));
          }
        }
      }
    }
    return targets;
  }
}

package dev.sluice.simulator.dataverse.odata;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.store.Column;
import dev.sluice.simulator.dataverse.store.ColumnType;
import dev.sluice.simulator.dataverse.store.Item;
import dev.sluice.simulator.dataverse.store.Reference;
import dev.sluice.simulator.dataverse.store.Schema;
import dev.sluice.simulator.dataverse.store.TableSchema;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.InputCoercionException;

/**
 * Reads rows from JSON bodies. What is not a row of this table at all is refused at once; a value
 * that the column cannot hold is noted in its item, for on an elastic table only that row fails.
 * Immutable.
 */
public final class RowReader {
  private static final String TYPE_PREFIX = "Microsoft.Dynamics.CRM.";
  private static final String BIND = "@odata.bind";
  private static final LocalDate FIRST_DAY = LocalDate.of(1753, 1, 1);
  private static final LocalDate LAST_DAY = LocalDate.of(9999, 12, 31);
  private static final Instant LAST_MOMENT = Instant.parse("9999-12-31T23:59:59.999999999Z");
  private static final Instant FIRST_MOMENT = Instant.parse("1753-01-01T00:00:00Z");

  private final Schema schema;
  private final TableSchema table;

  /** For rows of this table. */
  public RowReader(Schema schema, TableSchema table) {
    this.schema = schema;
    this.table = table;
  }

  /** Reads a body that is one row. */
  public Item readOne(byte[] body) throws WebApiException {
    try (JsonParser in = Json.parser(body)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw Errors.payload(table.setName(), "Invalid JSON. An object was expected.");
      }
      Item item = read(in, false);
      if (in.nextToken() != null) {
        throw Errors.payload(table.setName(), "Invalid JSON. More than one value was found.");
      }
      return item;
    } catch (JacksonException e) {
      throw malformed(e);
    }
  }

  /** Reads a body that is a bulk message: an object with a list of rows named Targets. */
  public List<Item> readTargets(byte[] body) throws WebApiException {
    try (JsonParser in = Json.parser(body)) {
      List<Item> items = null;
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw Errors.payload(table.setName(), "Invalid JSON. An object was expected.");
      }
      for (String name = in.nextName(); name != null; name = in.nextName()) {
        JsonToken token = in.nextToken();
        if (name.equals("Targets") && token == JsonToken.START_ARRAY) {
          items = new ArrayList<>();
          while (in.nextToken() == JsonToken.START_OBJECT) {
            items.add(read(in, true));
          }
          if (in.currentToken() != JsonToken.END_ARRAY) {
            throw Errors.payload(table.setName(), "Invalid JSON. Targets must hold objects.");
          }
        } else {
          throw Errors.payload(
              table.setName(),
              "The parameter '%s' in the request payload is not a valid parameter for the operation."
                  .formatted(name));
        }
      }
      if (in.currentToken() != JsonToken.END_OBJECT || in.nextToken() != null) {
        throw Errors.payload(table.setName(), "Invalid JSON. Unexpected end of the input.");
      }
      if (items == null || items.isEmpty()) {
        throw Errors.invalidArgument("Required field 'Targets' is missing or empty.");
      }
      return items;
    } catch (JacksonException e) {
      throw malformed(e);
    }
  }

  private WebApiException malformed(JacksonException e) {
    return Errors.payload(table.setName(), "Invalid JSON. " + Json.reason(e));
  }

  private Item read(JsonParser in, boolean typed) throws WebApiException {
    Item item = new Item(table);
    boolean typeSeen = false;
    for (String name = in.nextName(); name != null; name = in.nextName()) {
      in.nextToken();
      Integer position = table.position(name);
      if (position != null && table.columns().get(position).type() != ColumnType.LOOKUP) {
        value(in, item, position);
      } else if (name.equals("@odata.type")) {
        checkType(in.getString());
        typeSeen = true;
      } else if (name.equals("@odata.id")) {
        item.address(ResourceAddress.reference(schema, table, in.getString()));
      } else {
        other(in, item, name);
      }
    }
    if (in.currentToken() != JsonToken.END_OBJECT) {
      throw Errors.payload(table.setName(), "Invalid JSON. Unexpected end of the input.");
    }
    if (typed && !typeSeen) {
      throw Errors.payload(
          table.setName(),
          "An entry without a type name was found, but no expected type was specified.");
    }
    return item;
  }

  private void checkType(String type) throws WebApiException {
    String bare = type.startsWith("#") ? type.substring(1) : type;
    if (!bare.startsWith(TYPE_PREFIX)) {
      throw Errors.payload(
          table.setName(), "A type named '%s' could not be resolved by the model.".formatted(bare));
    }
    if (!bare.substring(TYPE_PREFIX.length()).equals(table.name())) {
      throw Errors.invalidArgument(
          "The entity type '%s' does not match the type '%s' of the request."
              .formatted(bare.substring(TYPE_PREFIX.length()), table.name()));
    }
  }

  /** A lookup, an annotation, or nothing that this table knows. */
  private void other(JsonParser in, Item item, String name) throws WebApiException {
    boolean bind = name.endsWith(BIND);
    String property = bind ? name.substring(0, name.length() - BIND.length()) : name;
    TableSchema.Navigation navigation = table.navigation(property);
    if (navigation == null) {
      if (name.indexOf('@') >= 0 && !bind) {
        in.skipChildren();
        return;
      }
      if (bind || table.position(property) != null) {
        throw Errors.payload(
            table.setName(),
            ("An undeclared property '%s' which only has property annotations in the payload but no"
                    + " property value was found in the payload. In OData, only declared navigation"
                    + " properties and declared named streams can be represented as properties"
                    + " without values.")
                .formatted(property));
      }
      throw Errors.unknownProperty(table.setName(), property, table.name());
    }
    if (in.currentToken() == JsonToken.VALUE_NULL) {
      item.set(navigation.column(), Item.Nothing.NULL);
    } else if (bind && in.currentToken() == JsonToken.VALUE_STRING) {
      TableSchema target = Objects.requireNonNull(schema.named(navigation.target()));
      item.set(
          navigation.column(),
          new Reference.Wanted(
              target.name(), ResourceAddress.reference(schema, target, in.getString())));
    } else if (table.elastic()) {
      throw new WebApiException(
          400,
          "0x80048d0b",
          "Cannot create related entities. Create has to be called individually for each entity.");
    } else {
      throw Errors.notImplemented("The simulated environment does not create related rows.");
    }
  }

  private void value(JsonParser in, Item item, int position) throws WebApiException {
    Column column = table.columns().get(position);
    if (in.currentToken() == JsonToken.VALUE_NULL) {
      item.set(position, Item.Nothing.NULL);
      return;
    }
    if (!column.writable()) {
      in.skipChildren();
      return;
    }
    try {
      switch (column.type()) {
        case STRING, MEMO -> text(in, item, position, column);
        case INTEGER -> whole(in, item, position, column);
        case BIGINT -> item.set(position, number(in, column).longValueExact());
        case DECIMAL, MONEY -> decimal(in, item, position, column);
        case DOUBLE -> fraction(in, item, position, column);
        case CHOICE, STATE, STATUS -> choice(in, item, position, column);
        case BOOLEAN -> truth(in, item, position, column);
        case DATE_TIME -> moment(in, item, position, column);
        case DATE_ONLY -> day(in, item, position, column);
        case UNIQUE_ID, LOOKUP -> item.set(position, Literals.guid(string(in, column)));
      }
    } catch (DateTimeException
        | IllegalArgumentException
        | ArithmeticException
        | InputCoercionException e) { // the last: a number too large
      throw Errors.wrongType(table.setName(), in.getString(), column.type().edmType());
    }
  }

  private String string(JsonParser in, Column column) throws WebApiException {
    if (in.currentToken() != JsonToken.VALUE_STRING) {
      throw Errors.wrongType(table.setName(), in.getString(), column.type().edmType());
    }
    return in.getString();
  }

  private BigDecimal number(JsonParser in, Column column) throws WebApiException {
    if (!in.currentToken().isNumeric()) {
      throw Errors.wrongType(table.setName(), in.getString(), column.type().edmType());
    }
    return in.getDecimalValue();
  }

  private void text(JsonParser in, Item item, int position, Column column) throws WebApiException {
    String text = string(in, column);
    if (text.length() > column.maxLength()) {
      item.fail(Errors.tooLong(column.name(), table.name(), column.maxLength()));
    }
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character < ' ' && character != '\t' && character != '\n' && character != '\r') {
        item.fail(Errors.illegalCharacters(column.name()));
      }
    }
    item.set(position, text.isEmpty() ? Item.Nothing.NULL : text);
  }

  private void whole(JsonParser in, Item item, int position, Column column) throws WebApiException {
    if (in.currentToken() != JsonToken.VALUE_NUMBER_INT) {
      throw Errors.wrongType(table.setName(), in.getString(), column.type().edmType());
    }
    int value = in.getIntValue();
    checkRange(item, BigDecimal.valueOf(value), column, true);
    item.set(position, value);
  }

  private void decimal(JsonParser in, Item item, int position, Column column)
      throws WebApiException {
    BigDecimal value = number(in, column).setScale(column.precision(), RoundingMode.HALF_UP);
    checkRange(item, value, column, false);
    item.set(position, value);
  }

  private void fraction(JsonParser in, Item item, int position, Column column)
      throws WebApiException {
    BigDecimal value = number(in, column).setScale(column.precision(), RoundingMode.HALF_UP);
    checkRange(item, value, column, false);
    item.set(position, value.doubleValue());
  }

  private void checkRange(Item item, BigDecimal value, Column column, boolean whole) {
    BigDecimal least = column.least();
    BigDecimal most = column.most();
    if ((least != null && value.compareTo(least) < 0)
        || (most != null && value.compareTo(most) > 0)) {
      item.fail(
          Errors.outOfRange(
              whole, value.toPlainString(), column.name(), table.name(), text(least), text(most)));
    }
  }

  private static String text(@Nullable BigDecimal bound) {
    return bound == null ? "any" : bound.toPlainString();
  }

  private void choice(JsonParser in, Item item, int position, Column column)
      throws WebApiException {
    if (in.currentToken() != JsonToken.VALUE_NUMBER_INT) {
      throw Errors.wrongType(table.setName(), in.getString(), column.type().edmType());
    }
    int value = in.getIntValue();
    if (!column.options().containsKey(value)) {
      item.fail(Errors.unknownChoice(value, column.name(), table.name(), column.accepted()));
    }
    item.set(position, value);
  }

  private void truth(JsonParser in, Item item, int position, Column column) throws WebApiException {
    if (!in.currentToken().isBoolean()) {
      throw Errors.wrongType(table.setName(), in.getString(), column.type().edmType());
    }
    item.set(position, in.getBooleanValue());
  }

  private void moment(JsonParser in, Item item, int position, Column column)
      throws WebApiException {
    String text = string(in, column);
    if (text.length() == FIRST_DAY.toString().length()) {
      throw Errors.wrongType(table.setName(), text, column.type().edmType());
    }
    Instant value = Literals.moment(text);
    if (value.isAfter(LAST_MOMENT)) {
      throw Errors.wrongType(table.setName(), text, column.type().edmType());
    }
    if (value.isBefore(FIRST_MOMENT)) {
      item.fail(Errors.dateTooEarly(column.name()));
    }
    item.set(position, value);
  }

  private void day(JsonParser in, Item item, int position, Column column) throws WebApiException {
    LocalDate value = LocalDate.parse(string(in, column));
    if (value.isAfter(LAST_DAY)) {
      throw Errors.wrongType(table.setName(), in.getString(), column.type().edmType());
    }
    if (value.isBefore(FIRST_DAY)) {
      item.fail(Errors.dateTooEarly(column.name()));
    }
    item.set(position, value);
  }
}

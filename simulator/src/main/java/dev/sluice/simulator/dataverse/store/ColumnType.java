package dev.sluice.simulator.dataverse.store;

/** What a column can hold, with the names that metadata and error messages give it. */
public enum ColumnType {
  /** A line of text. */
  STRING("String", "StringType", "Edm.String"),
  /** Text of several lines. */
  MEMO("Memo", "MemoType", "Edm.String"),
  /** A whole number of 32 bits. */
  INTEGER("Integer", "IntegerType", "Edm.Int32"),
  /** A whole number of 64 bits. */
  BIGINT("BigInt", "BigIntType", "Edm.Int64"),
  /** A number with a fixed number of decimals. */
  DECIMAL("Decimal", "DecimalType", "Edm.Decimal"),
  /** A floating-point number. */
  DOUBLE("Double", "DoubleType", "Edm.Double"),
  /** An amount of money. */
  MONEY("Money", "MoneyType", "Edm.Decimal"),
  /** Yes or no. */
  BOOLEAN("Boolean", "BooleanType", "Edm.Boolean"),
  /** A moment, to the second. */
  DATE_TIME("DateTime", "DateTimeType", "Edm.DateTimeOffset"),
  /** A day without a time. */
  DATE_ONLY("DateTime", "DateTimeType", "Edm.Date"),
  /** One of a list of numbers with labels. */
  CHOICE("Picklist", "PicklistType", "Edm.Int32"),
  /** Whether the row is active. */
  STATE("State", "StateType", "Edm.Int32"),
  /** Why it is. */
  STATUS("Status", "StatusType", "Edm.Int32"),
  /** A reference to a row of another table. */
  LOOKUP("Lookup", "LookupType", "Edm.Guid"),
  /** A row's id. */
  UNIQUE_ID("Uniqueidentifier", "UniqueidentifierType", "Edm.Guid");

  private final String attributeType;
  private final String attributeTypeName;
  private final String edmType;

  ColumnType(String attributeType, String attributeTypeName, String edmType) {
    this.attributeType = attributeType;
    this.attributeTypeName = attributeTypeName;
    this.edmType = edmType;
  }

  /** The metadata's {@code AttributeType}. */
  public String attributeType() {
    return attributeType;
  }

  /** The metadata's {@code AttributeTypeName}. */
  public String attributeTypeName() {
    return attributeTypeName;
  }

  /** The type that error messages name. */
  public String edmType() {
    return edmType;
  }

  /** Whether it is a number out of a list. */
  public boolean isChoice() {
    return this == CHOICE || this == STATE || this == STATUS;
  }
}

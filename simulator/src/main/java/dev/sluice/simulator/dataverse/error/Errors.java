package dev.sluice.simulator.dataverse.error;

import java.util.List;
import java.util.UUID;

/**
 * The catalogue: each error with its status, its code and its words, to be thrown by the caller.
 */
public final class Errors {
  private Errors() {}

  /** No row has that id. */
  public static WebApiException notFound(String table, UUID id) {
    return new WebApiException(
        404, "0x80040217", "Entity '%s' With Id = %s Does Not Exist".formatted(table, id));
  }

  /** A bulk update names rows that are not there. */
  public static WebApiException notFound(String table, List<UUID> ids) {
    return new WebApiException(
        404,
        "0x80040217",
        "%s With Ids = %s Do Not Exist"
            .formatted(table, String.join(", ", ids.stream().map(UUID::toString).toList())));
  }

  /** No row has that alternate key. */
  public static WebApiException notFoundByKey(String table) {
    return new WebApiException(
        404,
        "0x80060891",
        "A record with the specified key values does not exist in %s entity".formatted(table));
  }

  /** A row with that id, or one that may only be created, is there. */
  public static WebApiException duplicate() {
    return new WebApiException(
        412, "0x80040237", "A record with matching key values already exists.");
  }

  /** A bulk message creates an id that is there. */
  public static WebApiException duplicateInBulk() {
    return new WebApiException(412, "0x80040237", "Cannot insert duplicate key.");
  }

  /** Another row has that alternate key. */
  public static WebApiException duplicateKey(String key, List<String> columns) {
    return new WebApiException(
        412,
        "0x80060892",
        ("Entity Key %s violated. A record with the same value for %s already exists. A duplicate"
                + " record cannot be created. Select one or more unique values and try again.")
            .formatted(key, String.join(", ", columns)));
  }

  /** The row has changed since. */
  public static WebApiException versionMismatch() {
    return new WebApiException(
        412,
        "0x80060882",
        "The version of the existing record doesn't match the RowVersion property provided.");
  }

  /** The table has no such key. */
  public static WebApiException unknownKey(String table) {
    return new WebApiException(
        400,
        "0x0",
        ("The key in the request URI is not valid for resource 'Microsoft.Dynamics.CRM.%1$s'."
                + " Ensure that the names and number of key properties match the declared or"
                + " alternate key properties for the resource 'Microsoft.Dynamics.CRM.%1$s'.")
            .formatted(table));
  }

  /** There is no such table, function or property. */
  public static WebApiException unknownSegment(String segment) {
    return new WebApiException(
        404, "0x80060888", "Resource not found for the segment '%s'.".formatted(segment));
  }

  /** A query names a column that the table does not have. */
  public static WebApiException unknownColumn(String column, String table) {
    return badRequest(
        "Could not find a property named '%s' on type 'Microsoft.Dynamics.CRM.%s'."
            .formatted(column, table));
  }

  /** A filter names a function that is not there. */
  public static WebApiException unknownFunction(String name) {
    return badRequest(
        ("An unknown function with name '%s' was found. This may also be a function import or a key"
                + " lookup on a navigation property, which is not allowed.")
            .formatted(name));
  }

  /** The address or the query cannot be understood. */
  public static WebApiException badRequest(String message) {
    return new WebApiException(400, "0x80060888", message);
  }

  /** The body cannot be understood. */
  public static WebApiException payload(String set, String message) {
    return new WebApiException(
        400,
        "0x80048d19",
        ("Error identified in Payload provided by the user for Entity :'%s', For more information"
                + " on this error please follow this help link"
                + " https://go.microsoft.com/fwlink/?linkid=2195293  ---->  InnerException :"
                + " Microsoft.OData.ODataException: %s")
            .formatted(set, message));
  }

  /** A body names a property that the table does not have. */
  public static WebApiException unknownProperty(String set, String property, String table) {
    return payload(
        set,
        ("Invalid property '%s' was found in entity 'Microsoft.Dynamics.CRM.%s'. The property does"
                + " not exist on type 'Microsoft.Dynamics.CRM.%s'.")
            .formatted(property, table, table));
  }

  /** A value has another type than its column. */
  public static WebApiException wrongType(String set, Object value, String edmType) {
    return payload(
        set,
        edmType.equals("Edm.Guid")
            ? "Cannot convert the literal '%s' to the expected type 'Edm.Guid'.".formatted(value)
            : "Cannot convert a value to target type '%s' because of conflict between input format"
                    .formatted(edmType)
                + " string/number and parameter 'IEEE754Compatible' false/true.");
  }

  /** A text is longer than its column. */
  public static WebApiException tooLong(String column, String table, int most) {
    return new WebApiException(
        400,
        "0x80044331",
        ("A validation error occurred.  The length of the '%s' attribute of the '%s' entity"
                + " exceeded the maximum allowed length of '%d'.")
            .formatted(column, table, most));
  }

  /** A text has characters that no XML may have. */
  public static WebApiException illegalCharacters(String column) {
    return new WebApiException(
        400,
        "0x80040278",
        "Invalid character in field '%s': a character that is not allowed in XML was found."
            .formatted(column));
  }

  /** A choice has no such value. */
  public static WebApiException unknownChoice(
      long value, String column, String table, List<String> accepted) {
    return new WebApiException(
        400,
        "0x8004431A",
        ("A validation error occurred. The value %d of '%s' on record of type '%s' is outside the"
                + " valid range. Accepted Values: %s")
            .formatted(value, column, table, String.join(",", accepted)));
  }

  /** A number is out of its column's range. */
  public static WebApiException outOfRange(
      boolean whole, Object value, String column, String table, Object least, Object most) {
    return new WebApiException(
        400,
        whole ? "0x8004432F" : "0x80044330",
        ("A validation error occurred. The value %s of '%s' on record of type '%s' is outside the"
                + " valid range of %s to %s.")
            .formatted(value, column, table, least, most));
  }

  /** A date is before the first that the service knows. */
  public static WebApiException dateTooEarly(String column) {
    return new WebApiException(
        400,
        "0x80040239",
        "The date-time format for attribute '%s' is invalid, or the value is outside the supported"
                .formatted(column)
            + " range: dates before 01/01/1753 are not accepted.");
  }

  /** An argument of a message is wrong. */
  public static WebApiException invalidArgument(String message) {
    return new WebApiException(400, "0x80040203", message);
  }

  /** What the service says when it does not know what happened. */
  public static WebApiException unexpected() {
    return new WebApiException(400, "0x80040216", "An unexpected error occurred.");
  }

  /** The verb does not go with the address. */
  public static WebApiException wrongVerb(String method, String path) {
    return new WebApiException(
        405,
        "0x80060888",
        "The requested resource does not support http method '%s' on '%s'."
            .formatted(method, path));
  }

  /** The service, or its simulation, does not do this. */
  public static WebApiException notImplemented(String message) {
    return new WebApiException(501, "0x80040219", message);
  }
}

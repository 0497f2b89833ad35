package dev.sluice.simulator.dataverse.odata;

import dev.sluice.simulator.dataverse.error.Errors;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.store.Column;
import dev.sluice.simulator.dataverse.store.ColumnType;
import dev.sluice.simulator.dataverse.store.TableSchema;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * The service's own functions in filters, such as {@code Microsoft.Dynamics.CRM.Today}. Days are
 * those of UTC. Immutable.
 */
final class QueryFunctions {
  private static final String PREFIX = "Microsoft.Dynamics.CRM.";
  private static final int MOST_DAYS = 36_500;

  private final TableSchema table;
  private final Instant now;

  QueryFunctions(TableSchema table, Instant now) {
    this.table = table;
    this.now = now;
  }

  static boolean covers(String word) {
    return word.startsWith(PREFIX);
  }

  /** Reads what follows a function's name: parameters by name, in any order. */
  Filter parse(String name, FilterTokens tokens) throws WebApiException {
    Map<String, List<String>> parameters = new HashMap<>();
    tokens.expect("(");
    do {
      String parameter = tokens.take();
      tokens.expect("=");
      parameters.put(parameter, tokens.values());
    } while (tokens.took(","));
    tokens.expect(")");
    return switch (name.substring(PREFIX.length())) {
      case "In" -> {
        int column = column(name, parameters);
        yield new Filter.In(column, new HashSet<>(values(name, column, parameters)));
      }
      case "Between" -> {
        int column = column(name, parameters);
        List<Object> bounds = values(name, column, parameters);
        if (bounds.size() != 2) {
          throw wrong(name, "PropertyValues");
        }
        yield between(column, bounds.get(0), Filter.Relation.LE, bounds.get(1));
      }
      case "Today" -> days(name, column(name, parameters), 0);
      case "LastXDays" -> days(name, column(name, parameters), count(name, parameters));
      default -> throw Errors.unknownFunction(name);
    };
  }

  /** From the start of the day so many days ago until now; today lasts until its end. */
  private Filter days(String function, int column, int ago) throws WebApiException {
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    ColumnType type = table.columns().get(column).type();
    if (type == ColumnType.DATE_ONLY) {
      return between(column, today.minusDays(ago), Filter.Relation.LE, today);
    }
    if (type != ColumnType.DATE_TIME) {
      throw wrong(function, "PropertyName");
    }
    Instant start = today.minusDays(ago).atStartOfDay(ZoneOffset.UTC).toInstant();
    return ago == 0
        ? between(column, start, Filter.Relation.LT, start.plus(1, ChronoUnit.DAYS))
        : between(column, start, Filter.Relation.LE, now);
  }

  private static Filter between(int column, Object from, Filter.Relation relation, Object to) {
    return new Filter.And(
        List.of(
            new Filter.Comparison(column, Filter.Relation.GE, from),
            new Filter.Comparison(column, relation, to)));
  }

  private int column(String function, Map<String, List<String>> parameters) throws WebApiException {
    String property = only(function, "PropertyName", parameters);
    Integer position = table.readPosition(property);
    if (position == null) {
      throw Errors.unknownColumn(property, table.name());
    }
    return position;
  }

  private static int count(String function, Map<String, List<String>> parameters)
      throws WebApiException {
    try {
      int days = Integer.parseInt(only(function, "PropertyValue", parameters));
      if (days > 0 && days <= MOST_DAYS) {
        return days;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw wrong(function, "PropertyValue");
  }

  private static String only(
      String function, String parameter, Map<String, List<String>> parameters)
      throws WebApiException {
    List<String> values = parameters.getOrDefault(parameter, List.of());
    if (values.size() != 1) {
      throw wrong(function, parameter);
    }
    return values.getFirst();
  }

  /** The list of values, as the column holds them. */
  private List<Object> values(String function, int position, Map<String, List<String>> parameters)
      throws WebApiException {
    Column column = table.columns().get(position);
    boolean text = column.type().edmType().equals("Edm.String");
    List<Object> values = new ArrayList<>();
    for (String each : parameters.getOrDefault("PropertyValues", List.of())) {
      Object value = Literals.parse(column, text ? "'" + each.replace("'", "''") + "'" : each);
      if (value != null) {
        values.add(value);
      }
    }
    if (values.isEmpty()) {
      throw wrong(function, "PropertyValues");
    }
    return values;
  }

  private static WebApiException wrong(String function, String parameter) {
    return Errors.badRequest(
        "The parameter '%s' of the function '%s' is missing or not valid."
            .formatted(parameter, function));
  }
}

package dev.sluice.simulator.dataverse.webapi;

import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.odata.Expand;
import dev.sluice.simulator.dataverse.odata.Filter;
import dev.sluice.simulator.dataverse.odata.PagingCookie;
import dev.sluice.simulator.dataverse.odata.Query;
import dev.sluice.simulator.dataverse.odata.RowWriter;
import dev.sluice.simulator.dataverse.odata.Sorting;
import dev.sluice.simulator.dataverse.store.AlternateKey;
import dev.sluice.simulator.dataverse.store.Row;
import dev.sluice.simulator.dataverse.store.RowKey;
import dev.sluice.simulator.dataverse.store.Table;
import dev.sluice.simulator.dataverse.store.TableSchema;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plans queries. They look at the rows as they are at that moment, without holding anybody up; a
 * page is not part of a snapshot.
 */
final class Queries {
  static final int LARGEST_PAGE = 5_000;
  private static final int ELASTIC_PAGE = 500;

  private final Runner runner;

  Queries(Runner runner) {
    this.runner = runner;
  }

  Plan query(Call call, TableSchema schema) throws WebApiException {
    return query(call, schema, query -> query);
  }

  /** Narrows a query down when it runs. */
  @FunctionalInterface
  interface Narrowing {
    Query apply(Query query) throws WebApiException;
  }

  /** A query of only some of the rows. */
  Plan query(Call call, TableSchema schema, Narrowing narrowing) throws WebApiException {
    Query query = runner.query(call, schema);
    if (schema.elastic() && !query.expand().isEmpty()) {
      throw new WebApiException(400, "0x80048d0b", "Link entities are not supported.");
    }
    Sorting sorting = Sorting.of(schema, query);
    return Plan.free(
        Operation.QUERY,
        schema.name(),
        () -> answer(call, schema, narrowing.apply(query), sorting));
  }

  /** How many rows there are, as plain text; no more than a page. */
  Plan count(Call call, TableSchema schema) throws WebApiException {
    Query query = runner.query(call, schema);
    return Plan.free(
        Operation.QUERY,
        schema.name(),
        () -> {
          int count = Math.min(matching(schema, query).size(), standardPage(schema));
          return Response.of(
              200,
              Headers.of("Content-Type", "text/plain", "OData-Version", "4.0"),
              String.valueOf(count));
        });
  }

  private Response answer(Call call, TableSchema schema, Query query, Sorting sorting) {
    int size = pageSize(call, schema, query);
    boolean ordered = !query.orders().isEmpty();
    List<@Nullable Object[]> rows;
    Integer count = null;
    if (ordered || query.count()) {
      rows = matching(schema, query);
      count = Math.min(rows.size(), standardPage(schema));
      if (ordered) {
        rows.sort(sorting);
      }
      rows = sorting.after(rows, size + 1);
    } else {
      rows = page(schema, query, sorting, size + 1);
    }
    boolean more = rows.size() > size;
    boolean topped = query.top() != null && call.preferences().maxPageSize() == null;
    String next =
        more && !topped
            ? next(call, schema, query, sorting, rows.getFirst(), rows.get(size - 1))
            : null;
    return write(call, schema, query, more ? rows.subList(0, size) : rows, count, next);
  }

  private static int pageSize(Call call, TableSchema schema, Query query) {
    Integer wanted = call.preferences().maxPageSize();
    if (wanted != null && wanted <= LARGEST_PAGE) {
      return wanted;
    }
    Integer top = query.top();
    return top != null && wanted == null
        ? Math.min(top, standardPage(schema))
        : standardPage(schema);
  }

  private static int standardPage(TableSchema schema) {
    return schema.elastic() ? ELASTIC_PAGE : LARGEST_PAGE;
  }

  /** All rows that match, in order of their ids. */
  private List<@Nullable Object[]> matching(TableSchema schema, Query query) {
    return scan(rows(schema, query), 0, query.filter(), Integer.MAX_VALUE);
  }

  /** The rows of one page in order of their ids: only as many as needed are looked at. */
  private List<@Nullable Object[]> page(
      TableSchema schema, Query query, Sorting sorting, int most) {
    Row[] all = rows(schema, query);
    return scan(all, sorting.start(all), query.filter(), most);
  }

  private static List<@Nullable Object[]> scan(
      Row[] all, int start, @Nullable Filter filter, int most) {
    List<@Nullable Object[]> found = new ArrayList<>();
    for (int i = start; i < all.length && found.size() < most; i++) {
      @Nullable Object[] cells = all[i].cells();
      if (cells != null && (filter == null || filter.matches(cells))) {
        found.add(cells);
      }
    }
    return found;
  }

  /** The rows that can match: one, if the filter names it; otherwise all. */
  private Row[] rows(TableSchema schema, Query query) {
    runner.lock().lock();
    try {
      Table table = runner.store().table(schema);
      RowKey key = schema.elastic() ? null : named(schema, query.filter());
      if (key == null) {
        return table.ordered();
      }
      Row row = table.find(key);
      return row == null ? new Row[0] : new Row[] {row};
    } finally {
      runner.lock().unlock();
    }
  }

  private static @Nullable RowKey named(TableSchema schema, @Nullable Filter filter) {
    if (!(filter instanceof Filter.Comparison(int column, Filter.Relation relation, Object value))
        || relation != Filter.Relation.EQ
        || value == null) {
      return null;
    }
    if (column == TableSchema.ID) {
      return RowKey.of((UUID) value);
    }
    for (AlternateKey key : schema.keys()) {
      if (key.columns().equals(List.of(column))) {
        return new RowKey.ByKey(key, List.of(value));
      }
    }
    return null;
  }

  private static String next(
      Call call,
      TableSchema schema,
      Query query,
      Sorting sorting,
      @Nullable Object[] first,
      @Nullable Object[] last) {
    PagingCookie before = query.cookie();
    PagingCookie cookie = sorting.cookie(before == null ? 2 : before.page() + 1, last);
    String options = call.request().query();
    String others =
        options == null
            ? ""
            : List.of(options.split("&")).stream()
                .filter(
                    option ->
                        !option.startsWith("$skiptoken=") && !option.startsWith("%24skiptoken="))
                .map(option -> option + "&")
                .collect(Collectors.joining());
    String path = call.request().path(); // its start may name another version
    return "%s%s?%s$skiptoken=%s"
        .formatted(
            call.root(),
            path.substring(path.indexOf('/', WebApi.ROOT.length())),
            others,
            cookie.token(schema.idName(), (UUID) Objects.requireNonNull(first[TableSchema.ID])));
  }

  private Response write(
      Call call,
      TableSchema schema,
      Query query,
      List<@Nullable Object[]> rows,
      @Nullable Integer count,
      @Nullable String next) {
    boolean annotations = call.preferences().annotations();
    RowWriter writer = new RowWriter(schema, query, annotations, new RelatedRows(runner));
    Response response =
        Answers.json(
            200,
            out -> {
              out.writeStartObject();
              out.writeStringProperty(
                  "@odata.context",
                  call.root() + "/$metadata#" + schema.setName() + selected(schema, query));
              if (query.count() && count != null) {
                out.writeNumberProperty("@odata.count", count);
              }
              if (annotations) {
                boolean full = count != null && count == standardPage(schema);
                out.writeNumberProperty(
                    "@Microsoft.Dynamics.CRM.totalrecordcount",
                    query.count() && count != null ? count : -1);
                out.writeBooleanProperty(
                    "@Microsoft.Dynamics.CRM.totalrecordcountlimitexceeded", query.count() && full);
              }
              out.writeName("value");
              out.writeStartArray();
              rows.forEach(cells -> writer.write(out, cells));
              out.writeEndArray();
              if (next != null) {
                out.writeStringProperty("@odata.nextLink", next);
              }
              out.writeEndObject();
            });
    String applied = call.preferences().appliedToQuery();
    if (applied != null) {
      response.headers().add("Preference-Applied", applied);
    }
    return response;
  }

  /** The columns and navigation properties as the context of an answer lists them. */
  static String selected(TableSchema schema, Query query) {
    List<String> names = new ArrayList<>();
    if (query.select() != null) {
      query.select().forEach(column -> names.add(schema.columns().get(column).readName()));
    }
    for (Expand expand : query.expand()) {
      String inner = selected(expand.table(), expand.query());
      names.add(expand.property() + (inner.isEmpty() ? "()" : inner));
    }
    return names.isEmpty() ? "" : "(" + String.join(",", names) + ")";
  }
}

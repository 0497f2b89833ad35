package dev.sluice.simulator.dataverse.odata;

import dev.sluice.simulator.dataverse.store.Column;
import dev.sluice.simulator.dataverse.store.ColumnType;
import dev.sluice.simulator.dataverse.store.Reference;
import dev.sluice.simulator.dataverse.store.TableSchema;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes rows as JSON. Immutable. */
public final class RowWriter {
  private static final DateTimeFormatter SHOWN =
      DateTimeFormatter.ofPattern("M/d/yyyy h:mm a", Locale.US).withZone(ZoneOffset.UTC);
  private static final String FORMATTED = "@OData.Community.Display.V1.FormattedValue";

  private final TableSchema table;
  private final List<Integer> columns;
  private final boolean idUnasked;
  private final boolean annotations;
  private final Map<Expand, RowWriter> expanded = new LinkedHashMap<>();
  private final Related related;

  /** Finds the rows to which an expanded navigation property of a row leads. */
  @FunctionalInterface
  public interface Related {
    /** The rows, each as it was at one moment. */
    List<@Nullable Object[]> rows(Expand expand, @Nullable Object[] cells);
  }

  /**
   * For rows of this table.
   *
   * @param query the columns and navigation properties that are wanted. The id comes unasked
   * @param annotations whether formatted values are wanted, too
   * @param related finds the rows of navigation properties
   */
  public RowWriter(TableSchema table, Query query, boolean annotations, Related related) {
    List<Integer> select = query.select();
    this.table = table;
    this.related = related;
    for (Expand expand : query.expand()) {
      expanded.put(expand, new RowWriter(expand.table(), expand.query(), annotations, related));
    }
    this.columns =
        select == null ? IntStream.range(0, table.columns().size()).boxed().toList() : select;
    this.idUnasked = !columns.contains(TableSchema.ID);
    this.annotations = annotations;
  }

  /** Writes a row as an object. */
  public void write(JsonGenerator out, @Nullable Object[] cells) {
    out.writeStartObject();
    properties(out, cells);
    out.writeEndObject();
  }

  /** Writes a row's properties into an object that was started. */
  public void properties(JsonGenerator out, @Nullable Object[] cells) {
    out.writeStringProperty("@odata.etag", etag(cells));
    for (int position : columns) {
      property(out, table.columns().get(position), cells[position]);
    }
    if (idUnasked) {
      property(out, table.columns().get(TableSchema.ID), cells[TableSchema.ID]);
    }
    expanded.forEach(
        (expand, writer) -> {
          List<@Nullable Object[]> rows = related.rows(expand, cells);
          out.writeName(expand.property());
          if (expand.many()) {
            out.writeStartArray();
            rows.forEach(row -> writer.write(out, row));
            out.writeEndArray();
          } else if (rows.isEmpty()) {
            out.writeNull();
          } else {
            writer.write(out, rows.getFirst());
          }
        });
  }

  /** The version of a row, as conditions name it. */
  public static String etag(@Nullable Object[] cells) {
    return "W/\"" + cells[TableSchema.VERSION] + "\"";
  }

  private void property(JsonGenerator out, Column column, @Nullable Object value) {
    if (annotations && value != null) {
      annotate(out, column, value);
    }
    out.writeName(column.readName());
    value(out, value);
  }

  private static void annotate(JsonGenerator out, Column column, Object value) {
    String name = column.readName();
    if (value instanceof Reference reference) {
      out.writeStringProperty(
          name + "@Microsoft.Dynamics.CRM.lookuplogicalname", reference.table());
    } else if (column.type().isChoice()) {
      out.writeStringProperty(name + FORMATTED, column.options().getOrDefault((Integer) value, ""));
    } else if (value instanceof Boolean truth) {
      out.writeStringProperty(name + FORMATTED, truth ? "Yes" : "No");
    } else if (value instanceof Instant moment) {
      out.writeStringProperty(name + FORMATTED, SHOWN.format(moment));
    } else if (column.type() == ColumnType.MONEY && value instanceof BigDecimal money) {
      out.writeStringProperty(name + FORMATTED, String.format(Locale.US, "$%,.2f", money));
    }
  }

  /** Writes one value as a property has it. */
  public static void value(JsonGenerator out, @Nullable Object value) {
    switch (value) {
      case null -> out.writeNull();
      case String text -> out.writeString(text);
      case Integer number -> out.writeNumber(number);
      case Long number -> out.writeNumber(number);
      case BigDecimal number -> out.writeNumber(number);
      case Double number -> out.writeNumber(number);
      case Boolean truth -> out.writeBoolean(truth);
      default -> out.writeString(text(value));
    }
  }

  /** A value as text, as cookies and addresses have it. */
  public static String text(Object value) {
    return value instanceof Reference reference ? reference.id().toString() : value.toString();
  }
}

package dev.sluice.simulator.dataverse.webapi;

import dev.sluice.simulator.dataverse.store.AlternateKey;
import dev.sluice.simulator.dataverse.store.Column;
import dev.sluice.simulator.dataverse.store.Schema;
import dev.sluice.simulator.dataverse.store.TableSchema;
import java.util.Objects;

/**
 * The {@code $metadata} document: tables as entity types, lookups as navigation properties, and the
 * functions and actions that are served, in CSDL (OData 4.0). Every name in a schema is letters,
 * digits and underscores, so nothing needs to be escaped. Not thread-safe.
 */
final class Csdl {
  private static final String START =
      """
      <?xml version="1.0" encoding="utf-8"?>
      <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices>
          <Schema Namespace="Microsoft.Dynamics.CRM" Alias="mscrm" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="crmbaseentity" Abstract="true" />
      """;

  /** Unbound functions and what they return, and the functions of filters. */
  private static final String FUNCTIONS =
      """
            <ComplexType Name="WhoAmIResponse">
              <Property Name="BusinessUnitId" Type="Edm.Guid" Nullable="false" />
              <Property Name="UserId" Type="Edm.Guid" Nullable="false" />
              <Property Name="OrganizationId" Type="Edm.Guid" Nullable="false" />
            </ComplexType>
            <ComplexType Name="RetrieveVersionResponse">
              <Property Name="Version" Type="Edm.String" Unicode="false" />
            </ComplexType>
            <ComplexType Name="EntityRecordCountCollection">
              <Property Name="Count" Type="Edm.Int32" Nullable="false" />
              <Property Name="IsReadOnly" Type="Edm.Boolean" Nullable="false" />
              <Property Name="Keys" Type="Collection(Edm.String)" Nullable="false" />
              <Property Name="Values" Type="Collection(Edm.Int64)" Nullable="false" />
            </ComplexType>
            <ComplexType Name="RetrieveTotalRecordCountResponse">
              <Property Name="EntityRecordCountCollection" Type="mscrm.EntityRecordCountCollection" />
            </ComplexType>
            <ComplexType Name="CreateMultipleResponse">
              <Property Name="Ids" Type="Collection(Edm.Guid)" Nullable="false" />
            </ComplexType>
            <Function Name="WhoAmI">
              <ReturnType Type="mscrm.WhoAmIResponse" Nullable="false" />
            </Function>
            <Function Name="RetrieveVersion">
              <ReturnType Type="mscrm.RetrieveVersionResponse" Nullable="false" />
            </Function>
            <Function Name="RetrieveTotalRecordCount">
              <Parameter Name="EntityNames" Type="Collection(Edm.String)" Nullable="false" />
              <ReturnType Type="mscrm.RetrieveTotalRecordCountResponse" Nullable="false" />
            </Function>
            <Function Name="Today">
              <Parameter Name="PropertyName" Type="Edm.String" Nullable="false" />
              <ReturnType Type="Edm.Boolean" Nullable="false" />
            </Function>
            <Function Name="LastXDays">
              <Parameter Name="PropertyName" Type="Edm.String" Nullable="false" />
              <Parameter Name="PropertyValue" Type="Edm.Int64" Nullable="false" />
              <ReturnType Type="Edm.Boolean" Nullable="false" />
            </Function>
            <Function Name="Between">
              <Parameter Name="PropertyName" Type="Edm.String" Nullable="false" />
              <Parameter Name="PropertyValues" Type="Collection(Edm.String)" Nullable="false" />
              <ReturnType Type="Edm.Boolean" Nullable="false" />
            </Function>
            <Function Name="In">
              <Parameter Name="PropertyName" Type="Edm.String" Nullable="false" />
              <Parameter Name="PropertyValues" Type="Collection(Edm.String)" Nullable="false" />
              <ReturnType Type="Edm.Boolean" Nullable="false" />
            </Function>
      """;

  private static final String END =
      """
              <FunctionImport Name="WhoAmI" Function="Microsoft.Dynamics.CRM.WhoAmI" />
              <FunctionImport Name="RetrieveVersion" Function="Microsoft.Dynamics.CRM.RetrieveVersion" />
              <FunctionImport Name="RetrieveTotalRecordCount" Function="Microsoft.Dynamics.CRM.RetrieveTotalRecordCount" />
            </EntityContainer>
          </Schema>
        </edmx:DataServices>
      </edmx:Edmx>
      """;

  private final Schema schema;
  private final StringBuilder out = new StringBuilder(START);

  private Csdl(Schema schema) {
    this.schema = schema;
  }

  /** The document that describes these tables. */
  static String of(Schema schema) {
    return new Csdl(schema).write();
  }

  private String write() {
    schema.tables().forEach(this::entityType);
    out.append(FUNCTIONS);
    schema.tables().forEach(this::actions);
    out.append("      <EntityContainer Name=\"System\">\n");
    schema.tables().forEach(this::entitySet);
    return out.append(END).toString();
  }

  private void line(int depth, String text) {
    out.repeat("  ", depth).append(text).append('\n');
  }

  private void entityType(TableSchema table) {
    line(3, "<EntityType Name=\"%s\" BaseType=\"mscrm.crmbaseentity\">".formatted(table.name()));
    line(4, "<Key><PropertyRef Name=\"%s\" /></Key>".formatted(table.idName()));
    for (int i = 0; i < table.columns().size(); i++) {
      property(table.columns().get(i), i == TableSchema.ID);
    }
    for (Column column : table.columns()) {
      for (Column.Link link : column.links()) {
        lookup(column, link);
      }
    }
    schema
        .collections(table)
        .forEach(
            (name, many) ->
                line(
                    4,
                    "<NavigationProperty Name=\"%s\" Type=\"Collection(mscrm.%s)\" Partner=\"%s\" />"
                        .formatted(name, many.table().name(), many.partner())));
    if (!table.keys().isEmpty()) {
      alternateKeys(table);
    }
    line(3, "</EntityType>");
  }

  private void property(Column column, boolean key) {
    String more =
        switch (column.type()) {
          case STRING, MEMO -> " MaxLength=\"%d\"".formatted(column.maxLength());
          case DECIMAL, MONEY -> " Scale=\"Variable\"";
          default -> "";
        };
    line(
        4,
        "<Property Name=\"%s\" Type=\"%s\"%s%s />"
            .formatted(
                column.readName(),
                column.type().edmType(),
                more,
                key ? " Nullable=\"false\"" : ""));
  }

  private void lookup(Column column, Column.Link link) {
    line(
        4,
        "<NavigationProperty Name=\"%s\" Type=\"mscrm.%s\" Partner=\"%s\">"
            .formatted(link.property(), link.target(), link.relationship()));
    line(
        5,
        "<ReferentialConstraint Property=\"%s\" ReferencedProperty=\"%s\" />"
            .formatted(column.readName(), named(link).idName()));
    line(4, "</NavigationProperty>");
  }

  private TableSchema named(Column.Link link) {
    return Objects.requireNonNull(schema.named(link.target()));
  }

  private void alternateKeys(TableSchema table) {
    line(4, "<Annotation Term=\"OData.Community.Keys.V1.AlternateKeys\"><Collection>");
    for (AlternateKey key : table.keys()) {
      line(5, "<Record Type=\"OData.Community.Keys.V1.AlternateKey\">");
      line(6, "<PropertyValue Property=\"Key\"><Collection>");
      for (int position : key.columns()) {
        String name = table.columns().get(position).readName();
        line(
            7,
            ("<Record Type=\"OData.Community.Keys.V1.PropertyRef\"><PropertyValue Property=\"Alias\""
                    + " String=\"%1$s\" /><PropertyValue Property=\"Name\" PropertyPath=\"%1$s\" />"
                    + "</Record>")
                .formatted(name));
      }
      line(6, "</Collection></PropertyValue>");
      line(5, "</Record>");
    }
    line(4, "</Collection></Annotation>");
  }

  private void actions(TableSchema table) {
    if (!table.bulk()) {
      return;
    }
    action(table, "CreateMultiple", true);
    action(table, "UpdateMultiple", false);
    action(table, "UpsertMultiple", false);
    if (table.elastic()) {
      action(table, "DeleteMultiple", false);
    }
  }

  private void action(TableSchema table, String name, boolean ids) {
    line(3, "<Action Name=\"%s\" IsBound=\"true\">".formatted(name));
    line(
        4,
        "<Parameter Name=\"entityset\" Type=\"Collection(mscrm.%s)\" Nullable=\"false\" />"
            .formatted(table.name()));
    line(
        4,
        "<Parameter Name=\"Targets\" Type=\"Collection(mscrm.%s)\" Nullable=\"false\" />"
            .formatted(table.name()));
    if (ids) {
      line(4, "<ReturnType Type=\"mscrm.CreateMultipleResponse\" Nullable=\"false\" />");
    }
    line(3, "</Action>");
  }

  private void entitySet(TableSchema table) {
    line(
        4,
        "<EntitySet Name=\"%s\" EntityType=\"Microsoft.Dynamics.CRM.%s\">"
            .formatted(table.setName(), table.name()));
    for (Column column : table.columns()) {
      for (Column.Link link : column.links()) {
        binding(link.property(), named(link));
      }
    }
    schema.collections(table).forEach((name, many) -> binding(name, many.table()));
    line(4, "</EntitySet>");
  }

  private void binding(String property, TableSchema target) {
    line(
        5,
        "<NavigationPropertyBinding Path=\"%s\" Target=\"%s\" />"
            .formatted(property, target.setName()));
  }
}

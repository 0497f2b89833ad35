package dev.sluice.simulator.dataverse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.Time;
import dev.sluice.simulator.http.LoopbackServer;
import java.io.IOException;
import java.util.List;
import org.apache.olingo.client.api.EdmEnabledODataClient;
import org.apache.olingo.client.api.ODataClient;
import org.apache.olingo.client.api.communication.request.ODataRequest;
import org.apache.olingo.client.api.communication.request.retrieve.EdmMetadataRequest;
import org.apache.olingo.client.api.domain.ClientEntity;
import org.apache.olingo.client.api.domain.ClientEntitySet;
import org.apache.olingo.client.api.uri.URIBuilder;
import org.apache.olingo.client.core.ODataClientFactory;
import org.apache.olingo.commons.api.edm.Edm;
import org.apache.olingo.commons.api.edm.EdmAction;
import org.apache.olingo.commons.api.edm.EdmEntitySet;
import org.apache.olingo.commons.api.edm.EdmEntityType;
import org.apache.olingo.commons.api.edm.EdmNavigationProperty;
import org.apache.olingo.commons.api.edm.FullQualifiedName;
import org.apache.olingo.commons.api.format.ContentType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A client that knows OData and nothing of this service: it reads {@code $metadata} over HTTP and
 * works by what it finds there.
 */
class ODataClientTest {
  private static final String NAMESPACE = "Microsoft.Dynamics.CRM";
  private final Environment environment = new Environment(Worlds.FREE, Time.real(), 1);
  private final Client simple = new Client(environment, 0);
  private final ODataClient client = ODataClientFactory.getClient();
  private final LoopbackServer server;
  private final String root;

  ODataClientTest() throws IOException {
    server = LoopbackServer.start(0, environment, Time.real());
    root = server.address() + "/api/data/v9.2";
  }

  @BeforeEach
  void fill() throws InterruptedException {
    String ann = "c0ffee00-0000-4000-8000-000000000001";
    simple.post("contacts", "{'contactid':'%s','lastname':'Ann'}".formatted(ann));
    simple.post(
        "accounts",
        "{'name':'Fabrikam','revenue':20000.5,'numberofemployees':7,"
            + "'primarycontactid@odata.bind':'/contacts(%s)'}".formatted(ann));
    simple.post("accounts", "{'name':'Contoso'}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private <T extends ODataRequest> T signed(T request) {
    request.addCustomHeader("Authorization", "Bearer " + environment.token(0));
    return request;
  }

  private Edm edm() {
    EdmMetadataRequest request =
        signed(client.getRetrieveRequestFactory().getMetadataRequest(root));
    return request.execute().getBody();
  }

  @Test
  void every_table_is_an_entity_set_with_a_key_and_typed_properties() {
    Edm edm = edm();
    assertThat(edm.getEntityContainer().getEntitySets())
        .extracting(EdmEntitySet::getName)
        .containsExactlyInAnyOrder("accounts", "contacts", "queues", "sim_sensorreadings");
    EdmEntityType account = edm.getEntityContainer().getEntitySet("accounts").getEntityType();
    assertThat(account.getFullQualifiedName().getFullQualifiedNameAsString())
        .isEqualTo(NAMESPACE + ".account");
    assertThat(account.getKeyPredicateNames()).containsExactly("accountid");
    assertThat(type(account, "name")).isEqualTo("String");
    assertThat(account.getStructuralProperty("name").getMaxLength()).isEqualTo(160);
    assertThat(type(account, "revenue")).isEqualTo("Decimal");
    assertThat(type(account, "numberofemployees")).isEqualTo("Int32");
    assertThat(type(account, "versionnumber")).isEqualTo("Int64");
    assertThat(type(account, "address1_latitude")).isEqualTo("Double");
    assertThat(type(account, "creditonhold")).isEqualTo("Boolean");
    assertThat(type(account, "createdon")).isEqualTo("DateTimeOffset");
    assertThat(type(account, "statecode")).isEqualTo("Int32");
    assertThat(type(account, "_primarycontactid_value")).isEqualTo("Guid");
    EdmEntityType contact = edm.getEntityType(new FullQualifiedName(NAMESPACE, "contact"));
    assertThat(type(contact, "birthdate")).isEqualTo("Date");
  }

  private static String type(EdmEntityType table, String property) {
    return table.getStructuralProperty(property).getType().getName();
  }

  @Test
  void lookups_are_navigation_properties_in_both_directions() {
    Edm edm = edm();
    EdmEntitySet accounts = edm.getEntityContainer().getEntitySet("accounts");
    EdmNavigationProperty one = accounts.getEntityType().getNavigationProperty("primarycontactid");
    assertThat(one.getType().getName()).isEqualTo("contact");
    assertThat(one.isCollection()).isFalse();
    assertThat(one.getReferencingPropertyName("contactid")).isEqualTo("_primarycontactid_value");
    assertThat(one.getPartner().getName()).isEqualTo("account_primary_contact");
    assertThat(accounts.getRelatedBindingTarget("primarycontactid").getName())
        .isEqualTo("contacts");
    EdmNavigationProperty many =
        accounts.getEntityType().getNavigationProperty("contact_customer_accounts");
    assertThat(many.isCollection()).isTrue();
    assertThat(many.getPartner().getName()).isEqualTo("parentcustomerid_account");
  }

  @Test
  void functions_and_bulk_messages_are_described_for_the_tables_that_know_them() {
    Edm edm = edm();
    assertThat(edm.getEntityContainer().getFunctionImport("WhoAmI")).isNotNull();
    assertThat(edm.getUnboundFunctions(new FullQualifiedName(NAMESPACE, "LastXDays"))).hasSize(1);
    List<EdmAction> actions = edm.getSchema(NAMESPACE).getActions();
    assertThat(actions).allMatch(EdmAction::isBound);
    assertThat(actions)
        .extracting(action -> action.getName() + " of " + table(action))
        .contains("CreateMultiple of account", "DeleteMultiple of sim_sensorreading")
        .doesNotContain("DeleteMultiple of account", "CreateMultiple of queue");
    EdmAction create =
        actions.stream()
            .filter(each -> each.getName().equals("CreateMultiple"))
            .findFirst()
            .orElseThrow();
    assertThat(create.getParameter("Targets").isCollection()).isTrue();
    assertThat(create.getReturnType().getType().getName()).isEqualTo("CreateMultipleResponse");
  }

  private static String table(EdmAction action) {
    return action.getParameter("entityset").getType().getName();
  }

  @Test
  void an_entity_set_of_the_model_is_queried_and_its_rows_have_the_types_of_the_model() {
    Edm edm = edm();
    EdmEnabledODataClient typed =
        ODataClientFactory.getEdmEnabledClient(root, edm, null, ContentType.JSON);
    EdmEntitySet set = edm.getEntityContainer().getEntitySet("accounts");
    URIBuilder address =
        typed
            .newURIBuilder(root)
            .appendEntitySetSegment(set.getName())
            .select("name", "revenue", "numberofemployees")
            .expandWithSelect("primarycontactid", "lastname")
            .filter("name eq 'Fabrikam'");
    ClientEntitySet found =
        signed(typed.getRetrieveRequestFactory().getEntitySetRequest(address.build()))
            .execute()
            .getBody();
    assertThat(found.getEntities()).hasSize(1);
    ClientEntity row = found.getEntities().get(0);
    assertThat(row.getTypeName().getName()).isEqualTo("account");
    assertThat(row.getProperties())
        .extracting(each -> each.getName() + ": " + each.getValue().getTypeName())
        .containsExactly(
            "name: Edm.String",
            "revenue: Edm.Decimal",
            "numberofemployees: Edm.Int32",
            "accountid: Edm.Guid");
    ClientEntity contact = row.getNavigationLink("primarycontactid").asInlineEntity().getEntity();
    assertThat(contact.getTypeName().getName()).isEqualTo("contact");
    assertThat(contact.getProperty("lastname").getPrimitiveValue().toString()).isEqualTo("Ann");
  }
}

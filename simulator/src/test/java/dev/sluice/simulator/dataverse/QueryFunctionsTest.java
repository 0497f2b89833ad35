package dev.sluice.simulator.dataverse;

import static dev.sluice.simulator.dataverse.Client.code;
import static dev.sluice.simulator.dataverse.Client.json;
import static dev.sluice.simulator.dataverse.Client.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.http.Response;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The service's own functions, in filters and by themselves. Simulated time starts in 2026. */
class QueryFunctionsTest {
  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static Response filtered(Client client, String set, String filter)
      throws InterruptedException {
    String[] parts = filter.split("&", 2);
    String aliases =
        parts.length > 1 ? "&" + encoded(parts[1]).replace("%26", "&").replace("%3D", "=") : "";
    return client.get(set + "?$filter=" + encoded(parts[0]) + aliases);
  }

  private static List<String> names(Response response) {
    List<String> names = new ArrayList<>();
    assertThat(response.status()).as(response.text()).isEqualTo(200);
    json(response).get("value").forEach(row -> names.add(row.get("lastname").asString()));
    return names;
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          Microsoft.Dynamics.CRM.Today(PropertyName='createdon')                        | third
          Microsoft.Dynamics.CRM.Today(PropertyName=@p1)&@p1='createdon'                | third
          Microsoft.Dynamics.CRM.Today(PropertyName='birthdate')                        | second
          Microsoft.Dynamics.CRM.LastXDays(PropertyName='createdon',PropertyValue=1)    | second,third
          Microsoft.Dynamics.CRM.LastXDays(PropertyName=@p1,PropertyValue=@p2)&@p1='createdon'&@p2=2 | first,second,third
          Microsoft.Dynamics.CRM.LastXDays(PropertyValue='2',PropertyName='birthdate')  | first,second
          Microsoft.Dynamics.CRM.Between(PropertyName='numberofchildren',PropertyValues=['2','3']) | second,third
          Microsoft.Dynamics.CRM.Between(PropertyName='numberofchildren',PropertyValues=["1","2"]) | first,second
          Microsoft.Dynamics.CRM.Between(PropertyName=@p1,PropertyValues=@p2)&@p1='numberofchildren'&@p2=["1","1"] | first
          Microsoft.Dynamics.CRM.Between(PropertyName='lastname',PropertyValues=['a','g']) | first
          Microsoft.Dynamics.CRM.Between(PropertyName='birthdate',PropertyValues=['2026-01-01','2026-01-02']) | first
          Microsoft.Dynamics.CRM.In(PropertyName='lastname',PropertyValues=["first","third"]) | first,third
          Microsoft.Dynamics.CRM.In(PropertyName=@p,PropertyValues=@q)&@p='lastname'&@q=['second'] | second
          not Microsoft.Dynamics.CRM.Today(PropertyName='createdon') and numberofchildren gt 1 | second
          """)
  void a_function_finds_the_rows_it_describes(String filter, @Nullable String expected) {
    Worlds.in(
        Worlds.FREE,
        (environment, time) -> {
          String row = "{'lastname':'%s','birthdate':'%s','numberofchildren':%d}";
          new Client(environment, 0).post("contacts", row.formatted("first", "2026-01-01", 1));
          time.sleep(Duration.ofHours(24));
          new Client(environment, 0).post("contacts", row.formatted("second", "2026-01-03", 2));
          time.sleep(Duration.ofHours(30));
          Client client = new Client(environment, 0);
          client.post("contacts", row.formatted("third", "2026-01-04", 3));
          assertThat(names(filtered(client, "contacts", filter)))
              .containsExactlyElementsOf(
                  expected == null ? List.of() : List.of(expected.split(",")));
        });
  }

  @ParameterizedTest(name = "[{index}] {0} is refused: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          Microsoft.Dynamics.CRM.Nonsense(PropertyName='createdon')                | unknown function with name 'Microsoft.Dynamics.CRM.Nonsense'
          nonsense(name,'x')                                                       | unknown function with name 'nonsense'
          Microsoft.Dynamics.CRM.Today()                                           | Syntax error
          Microsoft.Dynamics.CRM.Today('createdon')                                | Syntax error
          Microsoft.Dynamics.CRM.Today(PropertyName='createdon'                    | Syntax error
          Microsoft.Dynamics.CRM.Today(Property='createdon')                       | 'PropertyName' of the function
          Microsoft.Dynamics.CRM.Today(PropertyName='nothing')                     | Could not find a property named 'nothing'
          Microsoft.Dynamics.CRM.Today(PropertyName='name')                        | 'PropertyName' of the function
          Microsoft.Dynamics.CRM.Today(PropertyName=@p)                            | alias '@p' has no value
          Microsoft.Dynamics.CRM.Today(PropertyName=@p)&@p='createdon              | Syntax error
          Microsoft.Dynamics.CRM.LastXDays(PropertyName='createdon')               | 'PropertyValue' of the function
          Microsoft.Dynamics.CRM.LastXDays(PropertyName='createdon',PropertyValue=0)  | 'PropertyValue' of the function
          Microsoft.Dynamics.CRM.LastXDays(PropertyName='createdon',PropertyValue=-1) | 'PropertyValue' of the function
          Microsoft.Dynamics.CRM.LastXDays(PropertyName='createdon',PropertyValue=99999999999) | 'PropertyValue' of the function
          Microsoft.Dynamics.CRM.LastXDays(PropertyName='createdon',PropertyValue=x)  | 'PropertyValue' of the function
          Microsoft.Dynamics.CRM.Between(PropertyName='name',PropertyValues=['a'])    | 'PropertyValues' of the function
          Microsoft.Dynamics.CRM.Between(PropertyName='name',PropertyValues=['a','b','c']) | 'PropertyValues' of the function
          Microsoft.Dynamics.CRM.Between(PropertyName='revenue',PropertyValues=['a','b']) | cannot be compared
          Microsoft.Dynamics.CRM.Between(PropertyName='name',PropertyValues=['a','b')  | Syntax error
          Microsoft.Dynamics.CRM.Between(PropertyName='name',PropertyValues=@v)&@v=['a'  | Syntax error
          """)
  void a_function_that_is_unknown_or_lacks_something_is_refused(String filter, String says) {
    Worlds.free(
        client -> {
          Response refused = filtered(client, "accounts", filter);
          assertThat(refused.status()).as(refused.text()).isEqualTo(400);
          assertThat(code(refused)).isEqualTo("0x80060888");
          assertThat(message(refused)).contains(says);
        });
  }

  @Test
  void a_filter_by_a_column_of_another_table_is_not_served() {
    Worlds.free(
        client ->
            assertThat(filtered(client, "accounts", "primarycontactid/lastname eq 'x'").status())
                .isEqualTo(501));
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          (EntityNames=['account','contact'])
          (EntityNames=@p)?@p=["account","contact"]
          (EntityNames=@p1)?@p1=['account','contact']
          (EntityNames=@p1)?@p1=%5B%22account%22%2C%22contact%22%5D
          """)
  void the_total_of_rows_is_asked_for_as_clients_ask(String how) {
    Worlds.free(
        client -> {
          client.post("contacts", "{}");
          Response answer = client.get("RetrieveTotalRecordCount" + how);
          assertThat(answer.status()).as(answer.text()).isEqualTo(200);
          assertThat(json(answer).get("EntityRecordCountCollection").toString())
              .isEqualTo(
                  "{\"Count\":2,\"IsReadOnly\":false,\"Keys\":[\"account\",\"contact\"],"
                      + "\"Values\":[0,1]}");
        });
  }

  @ParameterizedTest(name = "[{index}] {0} is refused with {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          RetrieveTotalRecordCount                                    | 404
          RetrieveTotalRecordCount()                                  | 404
          RetrieveTotalRecordCount(Names=['account'])                 | 404
          RetrieveTotalRecordCount(EntityNames=@p)                    | 400
          RetrieveTotalRecordCount(EntityNames=@p)?@p=account         | 400
          RetrieveTotalRecordCount(EntityNames=@p)?@p=["account"      | 400
          RetrieveTotalRecordCount(EntityNames=@p)?@p=["account"]]    | 400
          RetrieveTotalRecordCount(EntityNames=@p)?@p=                | 400
          RetrieveTotalRecordCount(EntityNames=@p)?@p=["nothing"]     | 404
          RetrieveNonsense()                                          | 404
          """)
  void a_function_that_cannot_be_called_so_is_refused(String path, int status) {
    Worlds.free(
        client -> {
          Response refused = client.get(path);
          assertThat(refused.status()).as(refused.text()).isEqualTo(status);
          assertThat(code(refused)).isEqualTo("0x80060888");
        });
  }
}

package dev.sluice.simulator.dataverse;

import static dev.sluice.simulator.dataverse.Client.code;
import static dev.sluice.simulator.dataverse.Client.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.http.Response;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Queries: which rows, which columns, in which order, page by page. */
class QueryTest {
  static LongStream seeds() {
    return LongStream.range(0, 20 * Integer.getInteger("sluice.seeds", 1));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static void fill(Client client) throws InterruptedException {
    client.post("accounts", "{'name':'Alpha','numberofemployees':1,'revenue':10.5}");
    client.post("accounts", "{'name':'beta','numberofemployees':2,'creditonhold':true}");
    client.post("accounts", "{'name':'Gamma','numberofemployees':3,'accountnumber':'G'}");
    client.post("accounts", "{'name':'it is','accountcategorycode':2}");
  }

  private static List<String> names(Response response) {
    List<String> names = new ArrayList<>();
    assertThat(response.status()).as(response.text()).isEqualTo(200);
    json(response).get("value").forEach(row -> names.add(row.get("name").asString()));
    return names;
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          name eq 'ALPHA'                                   | Alpha
          name ne 'Alpha'                                   | beta,Gamma,it is
          numberofemployees gt 1                            | beta,Gamma
          numberofemployees ge 1 and numberofemployees lt 3 | Alpha,beta
          numberofemployees eq null                         | it is
          numberofemployees ne null                         | Alpha,beta,Gamma
          not contains(name,'a')                            | it is
          startswith(name,'GA') or endswith(name,'PHA')     | Alpha,Gamma
          not (name eq 'beta' or name eq 'Gamma')           | Alpha,it is
          creditonhold eq true                              | beta
          accountcategorycode eq 2                          | it is
          revenue eq 10.50                                  | Alpha
          accountnumber eq 'g'                              | Gamma
          name eq @n&@n='beta'                              | beta
          Microsoft.Dynamics.CRM.In(PropertyName='name',PropertyValues=['beta','Gamma']) | beta,Gamma
          Microsoft.Dynamics.CRM.In(PropertyName='numberofemployees',PropertyValues=['1','3']) | Alpha,Gamma
          createdon ge 2026-01-01T00:00:00Z and name eq 'Alpha' | Alpha
          name eq 'a' or name eq 'alpha' and numberofemployees eq 9 |
          """)
  void a_filter_finds_the_rows_it_describes(String filter, @Nullable String expected) {
    Worlds.free(
        client -> {
          fill(client);
          String[] parts = filter.split("&", 2);
          String query =
              "$filter="
                  + encoded(parts[0])
                  + (parts.length > 1 ? "&" + parts[1].replace("'", "%27") : "");
          assertThat(names(client.get("accounts?" + query)))
              .containsExactlyElementsOf(
                  expected == null ? List.of() : List.of(expected.split(",")));
        });
  }

  @ParameterizedTest(name = "[{index}] {0} is refused")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          $filter=Name eq 'x'
          $filter=name eq
          $filter=name equals 'x'
          $filter=(name eq 'x'
          $filter=name eq 'x
          $filter=numberofemployees eq 'x'
          $filter=contains(name)
          $filter=
          $select=nothing
          $orderby=nothing
          $orderby=name up
          $top=x
          $top=0
          $count=perhaps
          $skip=5
          $search=x
          $skiptoken=nonsense
          """)
  void what_cannot_be_understood_is_refused_with_a_400(String query) {
    Worlds.free(
        client -> {
          int sign = query.indexOf('=');
          Response refused =
              client.get(
                  "accounts?"
                      + query.substring(0, sign)
                      + "="
                      + encoded(query.substring(sign + 1)));
          assertThat(refused.status()).as(refused.text()).isEqualTo(400);
          assertThat(code(refused)).startsWith("0x800");
        });
  }

  @Test
  void a_filter_of_a_thousand_parentheses_is_refused_and_does_no_harm() {
    Worlds.free(
        client -> {
          String deep = "(".repeat(5_000) + "name eq 'x'" + ")".repeat(5_000);
          assertThat(client.get("accounts?$filter=" + encoded(deep)).status()).isEqualTo(400);
        });
  }

  @Test
  void only_the_columns_asked_for_are_returned_and_the_id() {
    Worlds.free(
        client -> {
          fill(client);
          JsonNode answer = json(client.get("accounts?$select=name&$top=2&$count=true"));
          assertThat(answer.get("@odata.context").asString()).endsWith("#accounts(name)");
          assertThat(answer.get("@odata.count").asInt()).isEqualTo(4);
          assertThat(answer.get("value")).hasSize(2);
          assertThat(answer.get("value").get(0).propertyNames())
              .containsExactly("@odata.etag", "name", "accountid");
          assertThat(answer.has("@odata.nextLink")).isFalse();
        });
  }

  @Test
  void annotations_come_when_they_are_asked_for() {
    Worlds.free(
        client -> {
          fill(client);
          JsonNode row =
              json(client.get(
                      "accounts?$filter=accountcategorycode%20eq%202",
                      "Prefer", "odata.include-annotations=\"*\",odata.maxpagesize=1"))
                  .get("value")
                  .get(0);
          assertThat(
                  row.get("accountcategorycode@OData.Community.Display.V1.FormattedValue")
                      .asString())
              .isEqualTo("Standard");
        });
  }

  @Test
  void twelve_thousand_rows_come_in_three_pages_and_each_row_once() {
    Worlds.free(
        client -> {
          for (int batch = 0; batch < 12; batch++) {
            StringBuilder targets = new StringBuilder();
            for (int i = 0; i < 1_000; i++) {
              targets.append(
                  (i == 0 ? "" : ",")
                      + "{'@odata.type':'Microsoft.Dynamics.CRM.account','name':'n'}");
            }
            client.post(
                "accounts/Microsoft.Dynamics.CRM.CreateMultiple", "{'Targets':[" + targets + "]}");
          }
          for (boolean counted : new boolean[] {true, false}) {
            Set<String> seen = new HashSet<>();
            List<Integer> sizes = new ArrayList<>();
            String next = "accounts?$select=name" + (counted ? "&$count=true" : "");
            while (next != null) {
              JsonNode page = json(client.get(next));
              assertThat(page.has("@odata.count")).isEqualTo(counted);
              assertThat(page.path("@odata.count").asInt(5_000)).isEqualTo(5_000);
              page.get("value").forEach(row -> seen.add(row.get("accountid").asString()));
              sizes.add(page.get("value").size());
              next = following(page);
            }
            assertThat(sizes).containsExactly(5_000, 5_000, 2_000);
            assertThat(seen).hasSize(12_000);
          }
        });
  }

  private static @Nullable String following(JsonNode page) {
    JsonNode link = page.get("@odata.nextLink");
    return link == null ? null : link.asString().replace("http://sim/api/data/v9.2/", "");
  }

  @Test
  void a_page_starts_after_the_last_row_of_the_one_before_even_if_that_row_is_gone() {
    Worlds.free(
        client -> {
          fill(client);
          JsonNode first =
              json(client.get("accounts?$orderby=name", "Prefer", "odata.maxpagesize=2"));
          String last = first.get("value").get(1).get("accountid").asString();
          client.call("DELETE", "accounts(" + last + ")", "");
          String next = Objects.requireNonNull(following(first));
          assertThat(names(client.get(next, "Prefer", "odata.maxpagesize=2")))
              .containsExactly("Gamma", "it is");
        });
  }

  /**
   * Random rows, a random filter and order, read in pages: the same as sorting and filtering here.
   */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void paging_through_a_random_query_gives_what_a_plain_list_gives(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Worlds.in(
        Worlds.FREE,
        (environment, time) -> {
          Client client = new Client(environment, 0);
          for (int i = 0; i < 150; i++) {
            String name = random.nextInt(4) == 0 ? "" : "n" + random.nextInt(12) + "\\\"<&'";
            String employees = random.nextInt(3) == 0 ? "null" : "" + random.nextInt(8);
            client.call(
                "POST",
                "accounts",
                "{\"name\":\"%s\",\"numberofemployees\":%s,\"revenue\":%d.25}"
                    .formatted(name, employees, random.nextInt(5)));
          }
          int bound = random.nextInt(8);
          boolean descending = random.nextBoolean();
          int size = 1 + random.nextInt(40);
          String next =
              "accounts?$filter="
                  + encoded("revenue le 2.25 or numberofemployees gt " + bound)
                  + "&$orderby="
                  + encoded("name" + (descending ? " desc" : "") + ",numberofemployees");
          List<String> got = new ArrayList<>();
          while (next != null) {
            Response response = client.get(next, "Prefer", "odata.maxpagesize=" + size);
            assertThat(response.status()).as(response.text()).isEqualTo(200);
            JsonNode page = json(response);
            assertThat(page.get("value").size()).isLessThanOrEqualTo(size);
            assertThat(got).as("rows so far, of 150").hasSizeLessThanOrEqualTo(150);
            page.get("value").forEach(row -> got.add(row.get("accountid").asString()));
            next = following(page);
          }
          assertThat(got).isEqualTo(expected(environment.rows("account"), bound, descending));
        });
  }

  private static List<String> expected(
      List<Map<String, @Nullable Object>> rows, int bound, boolean descending) {
    Predicate<Map<String, @Nullable Object>> wanted =
        row ->
            ((BigDecimal) Objects.requireNonNull(row.get("revenue")))
                        .compareTo(new BigDecimal("2.25"))
                    <= 0
                || (row.get("numberofemployees") instanceof Integer employees && employees > bound);
    Comparator<Map<String, @Nullable Object>> byName =
        Comparator.comparing(
            row -> (String) row.get("name"), Comparator.nullsFirst(String.CASE_INSENSITIVE_ORDER));
    Comparator<Map<String, @Nullable Object>> byEmployees =
        Comparator.comparing(
            row -> (Integer) row.get("numberofemployees"),
            Comparator.nullsFirst(Comparator.naturalOrder()));
    return rows.stream()
        .filter(wanted)
        .sorted((descending ? byName.reversed() : byName).thenComparing(byEmployees))
        .map(row -> String.valueOf(row.get("accountid")))
        .toList();
  }
}

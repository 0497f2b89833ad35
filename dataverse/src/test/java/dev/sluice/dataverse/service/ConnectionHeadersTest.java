package dev.sluice.dataverse.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.dataverse.DataverseClient;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.Identity;
import dev.sluice.dataverse.Worlds;
import dev.sluice.dataverse.message.RecordKey;
import dev.sluice.dataverse.message.WebMessenger;
import dev.sluice.dataverse.wire.RequestHeaders;
import dev.sluice.dataverse.wire.Timeouts;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** On whose behalf requests are, and what else a connection adds to them. */
class ConnectionHeadersTest {
  private static final UUID CALLER = UUID.fromString("6f1a3c52-0b7e-4d1c-9a55-2f8d0c4b7e10");
  private static final RequestHeaders HEADERS =
      new RequestHeaders(
          Map.of("Ocp-Apim-Subscription-Key", "s3cr3t~value", "MSCRM.MergeLabels", "true"));
  private static final UUID ROW = UUID.fromString("00000000-0000-4000-8000-000000000001");

  private final List<WebRequest> requests = new ArrayList<>();

  private Transport remembering(Transport transport) {
    return request -> {
      requests.add(request);
      return transport.send(request);
    };
  }

  private static List<String> values(WebRequest request, String name) {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < request.headers().size(); i += 2) {
      if (request.headers().get(i).equalsIgnoreCase(name)) {
        found.add(request.headers().get(i + 1));
      }
    }
    return found;
  }

  private Stream<WebRequest> to(String path) {
    return requests.stream().filter(request -> request.uri().getPath().contains(path));
  }

  /** Writes and reads rows in every way there is. */
  private void visit(DataverseOptions options, Worlds.World world) throws Exception {
    try (DataverseClient client =
        DataverseClient.connect(
            options, remembering(world.transport()), world.time(), message -> {})) {
      client.createMultiple("account", List.of(Map.of("accountid", ROW, "name", "a")));
      client.deleteMultiple("account", List.of(Map.of("accountid", ROW)));
      client.records().create(client.table("account"), new RecordKey.Id(ROW), "\"name\":\"b\"");
      client.records().update(client.table("account"), new RecordKey.Id(ROW), "\"name\":\"c\"");
      assertThat(
              client
                  .records()
                  .retrieve(client.table("account"), new RecordKey.Id(ROW), List.of("name")))
          .isPresent();
      assertThat(client.queries().first("accounts?$select=name").rows()).hasSize(1);
      client.records().delete(client.table("account"), new RecordKey.Id(ROW));
    }
  }

  private static DataverseOptions options() {
    return DataverseOptions.of(
            Worlds.ADDRESS,
            List.of(new Identity("app1", Worlds.credential(Worlds.USERS.getFirst()))))
        .withAuthority(Worlds.ADDRESS)
        .withAdaptiveRate(AdaptiveRateOptions.builder().policy(PolicyName.FIXED).build());
  }

  @Test
  void whatever_writes_or_reads_rows_is_on_behalf_of_the_caller_and_nothing_else_is() {
    Worlds.free(world -> visit(options().withCaller(CALLER), world));
    assertThat(to("/accounts")).hasSizeGreaterThanOrEqualTo(6);
    assertThat(Stream.concat(to("/accounts"), to("/$batch")))
        .allSatisfy(
            request ->
                assertThat(values(request, "CallerObjectId"))
                    .as(request.toString())
                    .containsExactly(CALLER.toString()));
    assertThat(to("/$batch").map(request -> new String(request.body(), UTF_8)))
        .hasSize(1)
        .allSatisfy(
            body -> assertThat(body).containsOnlyOnce("\r\nCallerObjectId: " + CALLER + "\r\n"));
    // Who an identity is and what tables are like has nothing to do with it.
    assertThat(Stream.of(to("/WhoAmI"), to("/EntityDefinitions"), to("/oauth2")))
        .allSatisfy(
            kind ->
                assertThat(kind)
                    .isNotEmpty()
                    .allSatisfy(
                        request -> assertThat(values(request, "CallerObjectId")).isEmpty()));
  }

  @Test
  void a_look_up_after_an_unknown_outcome_sees_what_the_caller_sees() {
    Worlds.free(
        world -> {
          WebMessenger messenger =
              new WebMessenger(
                  new Service(
                      remembering(world.transport()),
                      Worlds.ADDRESS,
                      DataverseOptions.API_VERSION,
                      world.tokens(),
                      Timeouts.DEFAULTS,
                      world.time(),
                      Routes.PLAIN,
                      RequestHeaders.NONE,
                      Optional.of(CALLER)));
          RecordKey.Id key = new RecordKey.Id(ROW);
          messenger.exists("app1", Worlds.ACCOUNT, key);
          messenger.madeAfter("app1", Worlds.ACCOUNT, key, Instant.EPOCH);
        });
    assertThat(to("/accounts"))
        .hasSize(2)
        .allSatisfy(
            request ->
                assertThat(values(request, "CallerObjectId")).containsExactly(CALLER.toString()));
  }

  @Test
  void without_a_caller_nobody_is_meant() {
    Worlds.free(world -> visit(options(), world));
    assertThat(requests)
        .allSatisfy(request -> assertThat(values(request, "CallerObjectId")).isEmpty());
  }

  @Test
  void headers_of_the_configuration_go_to_the_environment_alone_and_those_of_mscrm_to_parts_too() {
    Worlds.free(world -> visit(options().withHeaders(HEADERS), world));
    assertThat(to("/api/data/"))
        .isNotEmpty()
        .allSatisfy(
            request -> {
              assertThat(values(request, "Ocp-Apim-Subscription-Key"))
                  .containsExactly("s3cr3t~value");
              assertThat(values(request, "MSCRM.MergeLabels")).containsExactly("true");
            });
    assertThat(to("/$batch").map(request -> new String(request.body(), UTF_8)))
        .hasSize(1)
        .allSatisfy(
            body ->
                assertThat(body)
                    .containsOnlyOnce("\r\nMSCRM.MergeLabels: true\r\n")
                    .doesNotContain("Ocp-Apim"));
    assertThat(to("/oauth2"))
        .isNotEmpty()
        .allSatisfy(
            request ->
                assertThat(String.join("|", request.headers()))
                    .doesNotContain("s3cr3t~value", "MSCRM"));
  }

  @Test
  void nothing_prints_the_value_of_a_header() {
    assertThat(options().withHeaders(HEADERS).toString())
        .contains("Ocp-Apim-Subscription-Key")
        .doesNotContain("s3cr3t~value");
    Worlds.free(world -> visit(options().withHeaders(HEADERS), world));
    assertThat(requests)
        .isNotEmpty()
        .allSatisfy(
            request ->
                assertThat(request.toString())
                    .contains(request.uri().getPath())
                    .doesNotContain("s3cr3t~value", "Bearer"));
  }
}

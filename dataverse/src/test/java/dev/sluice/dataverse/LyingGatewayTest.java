package dev.sluice.dataverse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.dataverse.bulk.BulkEnd;
import dev.sluice.dataverse.bulk.BulkOptions;
import dev.sluice.dataverse.bulk.BulkResult;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.table.Table;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Something between us and Dataverse answers in its place, without forwarding the request. */
class LyingGatewayTest {
  private static final int ROWS = 300;
  private static final BulkOptions BATCHES_OF_10 = BulkOptions.DEFAULTS.withFixedBatch(10);

  /** Answers some of the writes itself; all else goes through. */
  private static final class Gateway implements Transport {
    private final Transport through;
    private final IntPredicate answers; // which write, counted from 0
    private final WebAnswer answer;
    private int writes;
    private int answered;

    Gateway(Transport through, IntPredicate answers, WebAnswer answer) {
      this.through = through;
      this.answers = answers;
      this.answer = answer;
    }

    @Override
    public WebAnswer send(WebRequest request) throws IOException, InterruptedException {
      boolean isWrite = request.method().equals("POST") && !isSignIn(request);
      if (isWrite && answers.test(writes++)) {
        answered++;
        return answer;
      }
      return through.send(request);
    }

    private static boolean isSignIn(WebRequest request) {
      return request.uri().getPath().contains("oauth2");
    }
  }

  private static WebAnswer answer(int status, String type, String body) {
    Map<String, List<String>> headers =
        type.isEmpty()
            ? Map.of("Server", List.of("gateway/1.0"))
            : Map.of("Server", List.of("gateway/1.0"), "Content-Type", List.of(type));
    return new WebAnswer(
        status, HttpHeaders.of(headers, (name, value) -> true), body.getBytes(UTF_8));
  }

  private static DataverseClient connect(Worlds.World world, Transport transport)
      throws IOException, InterruptedException {
    Identity identity =
        new Identity(Worlds.USERS.get(0).name(), Worlds.credential(Worlds.USERS.get(0)));
    return DataverseClient.connect(
        DataverseOptions.of(Worlds.ADDRESS, List.of(identity)).withAuthority(Worlds.ADDRESS),
        transport,
        world.time(),
        message -> {});
  }

  private static List<Map<String, String>> rows(String value) {
    return IntStream.range(0, ROWS)
        .mapToObj(
            i ->
                Map.of(
                    "accountid",
                    new UUID(0x4000, 0x8000_0000_0000_0000L | i).toString(),
                    "name",
                    value + i))
        .toList();
  }

  private static BulkResult write(
      Worlds.World world, Gateway gateway, Operation operation, String value) throws Exception {
    try (DataverseClient client = connect(world, gateway)) {
      return client.write("account", operation, rows(value), BATCHES_OF_10);
    }
  }

  /** Every fifth write, from the second on, is answered by somebody else. */
  private static boolean isFifth(int write) {
    return write % 5 == 1;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          200 | application/json | {}
          200 | application/json | {"Ids":[]}
          200 | application/json | {"Ids":["0000
          200 | application/json | []
          200 | text/html        | <h1>Welcome</h1>
          202 |                  | ''
          204 |                  | ''
          """)
  void an_answer_that_does_not_prove_a_write_is_never_taken_for_one(
      int status, String type, String body) {
    for (Operation operation : List.of(Operation.CREATE, Operation.UPSERT)) {
      Worlds.free(
          world -> {
            Gateway gateway =
                new Gateway(
                    world.transport(),
                    LyingGatewayTest::isFifth,
                    answer(status, type == null ? "" : type, body));
            BulkResult result = write(world, gateway, operation, "row ");
            assertThat(gateway.answered).isPositive();
            assertThat(result.end()).isInstanceOf(BulkEnd.Completed.class);
            assertThat(result.progress().done()).isEqualTo(ROWS);
            assertThat(world.environment().rows("account")).hasSize(ROWS);
          });
    }
  }

  @ParameterizedTest
  @CsvSource({"UPDATE,204", "UPDATE,304", "UPSERT,304", "DELETE,204", "DELETE,304"})
  void updates_and_deletes_that_nobody_forwarded_are_sent_again(Operation operation, int status) {
    Worlds.free(
        world -> {
          Gateway open = new Gateway(world.transport(), write -> false, answer(204, "", ""));
          assertThat(write(world, open, Operation.CREATE, "old ").progress().done())
              .isEqualTo(ROWS);
          Gateway gateway =
              new Gateway(world.transport(), LyingGatewayTest::isFifth, answer(status, "", ""));
          BulkResult result = write(world, gateway, operation, "new ");
          assertThat(gateway.answered).isPositive();
          assertThat(result.end()).isInstanceOf(BulkEnd.Completed.class);
          assertThat(result.progress().done()).isEqualTo(ROWS);
          if (operation == Operation.DELETE) {
            assertThat(world.environment().rows("account")).isEmpty();
          } else {
            assertThat(world.environment().rows("account"))
                .hasSize(ROWS)
                .allMatch(row -> String.valueOf(row.get("name")).startsWith("new "));
          }
        });
  }

  @ParameterizedTest
  @CsvSource({
    "301,<h1>Moved</h1>",
    "302,''",
    "400,<h1>Bad Request</h1>",
    "403,<h1>Blocked</h1>",
    "404,''",
    "405,''",
    "407,<h1>Log in</h1>",
    "410,<h1>Gone</h1>",
    "400,'{\"error\":{\"code\":400,\"message\":\"Bad request\"}}'",
    "404,'{\"error\":{\"code\":404,\"message\":\"Not found\"}}'"
  })
  void no_record_is_rejected_by_an_answer_that_is_not_dataverses(int status, String body) {
    Worlds.free(
        world -> {
          Gateway gateway =
              new Gateway(
                  world.transport(), LyingGatewayTest::isFifth, answer(status, "text/html", body));
          BulkResult result = write(world, gateway, Operation.CREATE, "row ");
          assertThat(gateway.answered).isPositive();
          assertThat(result.end()).isInstanceOf(BulkEnd.Completed.class);
          assertThat(result.progress().rejected()).isZero();
          assertThat(world.environment().rows("account")).hasSize(ROWS);
        });
  }

  @ParameterizedTest
  @CsvSource({
    "200,{}",
    "204,''",
    "302,''",
    "400,<h1>Bad Request</h1>",
    "403,<h1>Blocked</h1>",
    "404,''",
    "404,'{\"error\":{\"code\":404,\"message\":\"Not found\"}}'",
    "407,<h1>Log in</h1>",
    "413,<h1>Too large</h1>"
  })
  void a_job_that_somebody_else_answers_stops_after_a_few_and_says_who(int status, String body) {
    Worlds.free(
        world -> {
          Gateway gateway =
              new Gateway(world.transport(), write -> true, answer(status, "text/html", body));
          BulkResult result = write(world, gateway, Operation.CREATE, "row ");
          assertThat(result.end()).isInstanceOf(BulkEnd.Unreachable.class);
          assertThat(((BulkEnd.Unreachable) result.end()).fault().message())
              .contains("status " + status, "gateway/1.0");
          assertThat(result.progress().rejected()).isZero();
          assertThat(result.progress().done()).isZero();
          assertThat(gateway.answered).isLessThanOrEqualTo(60);
        });
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 0.9})
  void a_question_whose_answer_was_cut_off_is_asked_again(double share) {
    assertAskedAgain(
        whole ->
            new WebAnswer(
                whole.status(),
                whole.headers(),
                Arrays.copyOf(whole.body(), (int) (whole.body().length * share))));
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 302, 404, 407, 413, 502})
  void a_question_that_a_gateway_answers_is_asked_again(int status) {
    assertAskedAgain(whole -> answer(status, "text/html", "<h1>Log in</h1>"));
  }

  /** Every first answer to a question is spoilt, and the table is described all the same. */
  private static void assertAskedAgain(UnaryOperator<WebAnswer> spoilt) {
    Worlds.free(
        world -> {
          Set<URI> asked = new HashSet<>();
          Transport spoiling =
              request -> {
                WebAnswer whole = world.transport().send(request);
                boolean first = request.method().equals("GET") && asked.add(request.uri());
                return first ? spoilt.apply(whole) : whole;
              };
          try (DataverseClient client = connect(world, spoiling)) {
            Table table = client.table("account");
            assertThat(asked).hasSizeGreaterThan(2);
            assertThat(table).isEqualTo(connect(world, world.transport()).table("account"));
          }
        });
  }

  @Test
  void a_row_that_a_gateway_says_to_be_there_is_not_believed_without_its_id() {
    Worlds.free(
        world -> {
          WebAnswer empty = answer(200, "application/json", "{}");
          Gateway gateway = new Gateway(world.transport(), LyingGatewayTest::isFifth, empty);
          Transport lyingAboutRows =
              request ->
                  request.method().equals("GET") && request.uri().getPath().contains("accounts(")
                      ? empty
                      : gateway.send(request);
          try (DataverseClient client = connect(world, lyingAboutRows)) {
            BulkResult result =
                client.write("account", Operation.CREATE, rows("row "), BATCHES_OF_10);
            assertThat(result.progress().rejected()).isZero();
            assertThat(world.environment().rows("account")).hasSize((int) result.progress().done());
          }
        });
  }
}

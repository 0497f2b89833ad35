package dev.sluice.collect.yaml;

import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Requests;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.run.Reason;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A provider that answers as a test says, and remembers what it was asked for. */
final class Script implements Requests {
  /** For files that need no tokens of somebody else. */
  static final Transport NOBODY =
      request -> {
        throw new AssertionError("nobody else is to be asked");
      };

  final List<URI> asked = new ArrayList<>();
  private final Function<WebRequest, WebAnswer> answers;

  private Script(Function<WebRequest, WebAnswer> answers) {
    this.answers = answers;
  }

  static Script of(Function<WebRequest, WebAnswer> answers) {
    return new Script(answers);
  }

  /** One body after the other; the last again and again. */
  static Script of(String... bodies) {
    int[] next = {0};
    return new Script(request -> json(bodies[Math.min(next[0]++, bodies.length - 1)]));
  }

  static WebAnswer json(String body) {
    return answer(200, body, "Content-Type", "application/json");
  }

  static WebAnswer answer(int status, String body, String... headers) {
    Map<String, List<String>> fields = new java.util.HashMap<>();
    for (int i = 0; i < headers.length; i += 2) {
      fields.put(headers[i], List.of(headers[i + 1]));
    }
    return new WebAnswer(
        status,
        HttpHeaders.of(fields, (name, value) -> true),
        body.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public WebAnswer send(WebRequest request) throws ProviderException {
    asked.add(request.uri());
    WebAnswer answer = answers.apply(request);
    if (!answer.succeeded()) {
      throw new ProviderException(
          answer.status() == 404 ? Reason.Failure.NOT_FOUND : Reason.Failure.INVALID,
          answer.status(),
          "status " + answer.status());
    }
    return answer;
  }

  /** The first stream of a file with a stream of this text and no more. */
  static ListStream stream(String stream) throws Exception {
    return connector(stream).streams().getFirst();
  }

  static Connector connector(String streams) throws Exception {
    return ConnectorFile.parse(
            "test.yaml",
            "connector: test\nprovider: {base: 'https://api.example/v1'}\nstreams:\n"
                + streams.indent(2))
        .bind(Map.of(), NOBODY, Time.real());
  }
}

package dev.sluice.simulator.dataverse;

import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Lost;
import dev.sluice.simulator.http.Reply;
import dev.sluice.simulator.http.Request;
import dev.sluice.simulator.http.Response;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends requests to an environment in process, signed in as one of its users. */
final class Client {
  private final Environment environment;
  private final String token;

  Client(Environment environment, int user) {
    this.environment = environment;
    this.token = environment.token(user);
  }

  /** Sends a request to the Web API; headers are names and values in turn. */
  Reply send(String method, String path, String body, String... headers)
      throws InterruptedException {
    Headers all = Headers.of(headers).add("Authorization", "Bearer " + token).add("Host", "sim");
    return environment.answer(Request.of(method, "/api/data/v9.2/" + path, all, body));
  }

  /** The same where there must be an answer. */
  Response call(String method, String path, String body, String... headers)
      throws InterruptedException {
    return switch (send(method, path, body, headers)) {
      case Response response -> response;
      case Lost lost ->
          throw new AssertionError("no answer to %s %s: %s".formatted(method, path, lost));
    };
  }

  Response get(String path, String... headers) throws InterruptedException {
    return call("GET", path, "", headers);
  }

  Response post(String path, String body, String... headers) throws InterruptedException {
    return call("POST", path, body.replace('\'', '"'), headers);
  }

  Response patch(String path, String body, String... headers) throws InterruptedException {
    return call("PATCH", path, body.replace('\'', '"'), headers);
  }

  static JsonNode json(Response response) {
    return JsonMapper.shared().readTree(response.body());
  }

  static String code(Response response) {
    return json(response).at("/error/code").asString();
  }

  static String message(Response response) {
    return json(response).at("/error/message").asString();
  }
}

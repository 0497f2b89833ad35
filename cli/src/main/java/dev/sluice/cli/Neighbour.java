package dev.sluice.cli;

import dev.sluice.simulator.dataverse.Environment;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Reply;
import dev.sluice.simulator.http.Request;

/** Somebody else who works as one of an environment's users, and uses up what that may do. */
final class Neighbour {
  private final Environment environment;
  private final int user;

  Neighbour(Environment environment, int user) {
    this.environment = environment;
    this.user = user;
  }

  /** Sends one small request, whatever the answer. */
  void ask() throws InterruptedException {
    Headers headers = Headers.of("Authorization", "Bearer " + environment.token(user));
    Reply unused = environment.answer(Request.of("GET", "/api/data/v9.2/WhoAmI", headers));
  }
}

package dev.sluice.simulator.dataverse;

import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.webapi.Answers;
import dev.sluice.simulator.farm.ProtectionOptions;
import dev.sluice.simulator.farm.Throttle;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Response;
import java.util.Locale;
import java.util.UUID;

/** What those hear who are not let in. */
final class Refusals {
  private Refusals() {}

  /** Too much, by these limits: in the words of the documentation, its two spaces included. */
  static Response throttled(Throttle throttle, ProtectionOptions limits) {
    String message =
        switch (throttle.facet()) {
          case REQUESTS ->
              "Number of requests exceeded the limit of %d over time window of %d seconds."
                  .formatted(limits.requests(), limits.window().toSeconds());
          case EXECUTION_TIME ->
              String.format(
                  Locale.US,
                  "Combined execution time of incoming requests exceeded limit of %,d "
                      + " milliseconds over time window of %d seconds. Decrease number of concurrent"
                      + " requests or reduce the duration of requests and try again later.",
                  limits.executionTime().toMillis(),
                  limits.window().toSeconds());
          case CONCURRENCY ->
              "Number of concurrent requests exceeded the limit of %d."
                  .formatted(limits.concurrent());
        };
    Response response =
        Answers.error(new WebApiException(429, throttle.facet().code(), message), false);
    response.headers().add("Retry-After", String.valueOf(throttle.retryAfter().toSeconds()));
    return response;
  }

  /** No token that is accepted: where to get one, as clients discover it. */
  static Response unauthorized(String origin, UUID requestId) {
    return Response.of(
        401,
        Headers.of(
            "WWW-Authenticate",
            "Bearer authorization_uri=%s/%s/oauth2/authorize, resource_id=%s/"
                .formatted(origin, EnvironmentOptions.TENANT, origin),
            "REQ_ID",
            requestId.toString()));
  }
}

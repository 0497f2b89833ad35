package dev.sluice.simulator.dataverse;

import dev.sluice.simulator.farm.Farm;
import dev.sluice.simulator.http.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The headers that every answer of the service carries: which server it was, what is left of the
 * user's budget, how many requests at a time are recommended. Under the environment's lock.
 */
final class Dressing {
  private static final String COOKIE = "ARRAffinity=";

  private final RandomGenerator random;
  private final List<String> affinities = new ArrayList<>();

  Dressing(int servers, RandomGenerator random) {
    this.random = random;
    for (int server = 0; server < servers; server++) {
      StringBuilder value = new StringBuilder();
      for (int i = 0; i < 4; i++) {
        value.append(String.format("%016x", random.nextLong()));
      }
      affinities.add(value.toString());
    }
  }

  /** The server that a request's cookie names; {@link Farm#ANY} if it names none. */
  int server(Headers headers) {
    String cookie = headers.first("Cookie");
    int at = cookie == null ? -1 : cookie.indexOf(COOKIE);
    if (cookie == null || at < 0) {
      return Farm.ANY;
    }
    int start = at + COOKIE.length();
    int end = cookie.indexOf(';', start);
    return affinities.indexOf(cookie.substring(start, end < 0 ? cookie.length() : end).strip());
  }

  void dress(Headers headers, Farm.Visit visit, int parallelism, long now) {
    String id = Chance.uuid(random).toString();
    String cookie = COOKIE + affinities.get(visit.server()) + "; path=/; HttpOnly";
    headers
        .add("Cache-Control", "no-cache")
        .add("Expires", "-1")
        .add("Vary", "Accept-Encoding")
        .add("x-ms-service-request-id", id)
        .add("REQ_ID", id)
        .add("CRM.ServiceId", "framework")
        .add("Set-Cookie", cookie)
        .add("x-ms-dop-hint", String.valueOf(parallelism))
        .add(
            "x-ms-ratelimit-time-remaining-xrm-requests",
            seconds(visit.account().executionTimeLeft(now)))
        .add(
            "x-ms-ratelimit-burst-remaining-xrm-requests",
            String.valueOf(visit.account().requestsLeft(now)));
  }

  /** Seconds with two decimals and a comma at the thousands, as the service writes them. */
  static String seconds(Duration duration) {
    String whole = String.valueOf(duration.toSeconds());
    StringBuilder text = new StringBuilder(whole);
    for (int at = whole.length() - 3; at > 0; at -= 3) {
      text.insert(at, ',');
    }
    int hundredths = (int) (duration.toNanos() / 10_000_000 % 100);
    return text.append('.')
        .append((char) ('0' + hundredths / 10))
        .append((char) ('0' + hundredths % 10))
        .toString();
  }
}

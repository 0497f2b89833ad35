package dev.sluice.collect.yaml.check;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Requests;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.http.Answer;
import dev.sluice.gate.http.Signals;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.run.Reason.Failure;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Answers as a script says, read as the connector reads them: throttles and passing failures are
 * waited for and asked again. Used for one check, by one task.
 */
public final class ScriptedProvider implements Requests {
  private static final Duration UNTOLD_WAIT = Duration.ofMinutes(1);

  private final List<CheckRule.Scripted> script;
  private final Path folder;
  private final Signals signals;
  private final Time time;
  private int next;
  private int throttled;

  /**
   * At the beginning of a script.
   *
   * @param folder where the bodies lie
   */
  public ScriptedProvider(
      List<CheckRule.Scripted> script, Path folder, Signals signals, Time time) {
    this.script = List.copyOf(script);
    this.folder = folder;
    this.signals = signals;
    this.time = time;
  }

  /** How often it was asked. */
  public int requests() {
    return next;
  }

  /** How many of its answers were throttles. */
  public int throttled() {
    return throttled;
  }

  /** How many of its answers nobody asked for. */
  public int left() {
    return script.size() - next;
  }

  @Override
  public WebAnswer send(WebRequest request)
      throws ProviderException, IOException, InterruptedException {
    while (true) {
      if (next == script.size()) {
        throw new IOException(
            "it was asked %d times, but the script has no more answers".formatted(next + 1));
      }
      CheckRule.Scripted scripted = script.get(next++);
      compare(request, scripted.asked());
      WebAnswer answer = answer(scripted);
      Answer seen =
          Answer.of(answer.status(), answer.headers().map(), time.instant())
              .withBody(answer.text());
      switch (signals.read(seen).signal()) {
        case Signal.Success success -> {
          return answer;
        }
        case Signal.Throttled throttle -> {
          throttled++;
          time.sleep(throttle.retryAfter().orElse(UNTOLD_WAIT));
        }
        case Signal.Transient failure -> time.sleep(UNTOLD_WAIT);
        case Signal.Cancelled cancelled -> time.sleep(UNTOLD_WAIT);
        case Signal.Answered answered -> time.sleep(UNTOLD_WAIT);
        case Signal.Stopped stopped -> throw refused(failure(stopped.reason()), answer);
        case Signal.Rejected rejected -> throw refused(failure(rejected.kind()), answer);
      }
    }
  }

  private void compare(WebRequest request, List<String> expected) throws IOException {
    String query = request.uri().getQuery();
    String asked =
        request.uri().getPath()
            + (query == null ? "" : "?" + query)
            + (request.body().length == 0
                ? ""
                : " " + new String(request.body(), StandardCharsets.UTF_8));
    for (String text : expected) {
      if (!asked.contains(text)) {
        throw new IOException(
            "request %d asked for %s, but '%s' was expected in it".formatted(next, asked, text));
      }
    }
  }

  private static ProviderException refused(Failure reason, WebAnswer answer) {
    return new ProviderException(
        reason, answer.status(), "the answer was %d".formatted(answer.status()));
  }

  private static Failure failure(Signal.Stopped.Reason reason) {
    return switch (reason) {
      case SUSPENDED -> Failure.SUSPENDED;
      case QUOTA_SPENT -> Failure.QUOTA_SPENT;
      case AUTH_FAILURE -> Failure.AUTH_FAILURE;
    };
  }

  private static Failure failure(Signal.Rejected.Kind kind) {
    return switch (kind) {
      case UNAUTHORIZED -> Failure.AUTH_FAILURE;
      case FORBIDDEN -> Failure.FORBIDDEN;
      case NOT_FOUND, GONE -> Failure.NOT_FOUND;
      case INVALID -> Failure.INVALID;
    };
  }

  private WebAnswer answer(CheckRule.Scripted scripted) throws IOException {
    byte[] body =
        scripted.file().isPresent()
            ? Files.readAllBytes(beside(scripted.file().get()))
            : scripted.body().getBytes(StandardCharsets.UTF_8);
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.put("Content-Type", List.of("application/json"));
    for (int i = 0; i < scripted.headers().size(); i += 2) {
      List<String> lines = new ArrayList<>(List.of(scripted.headers().get(i + 1)));
      headers.put(scripted.headers().get(i), lines);
    }
    return new WebAnswer(scripted.status(), HttpHeaders.of(headers, (name, value) -> true), body);
  }

  /** A file of the folder, and of no other: connector files come from elsewhere. */
  private Path beside(String name) throws IOException {
    Path file = folder.resolve(name).normalize();
    if (!file.startsWith(folder.normalize())) {
      throw new IOException("%s does not lie beside the connector file".formatted(name));
    }
    return file;
  }
}

package dev.sluice.dataverse.service;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.fault.FaultReader.Reading;
import dev.sluice.gate.Call;
import dev.sluice.gate.CallOptions;
import dev.sluice.gate.Gate;
import dev.sluice.gate.Permit;
import dev.sluice.gate.Run;
import dev.sluice.gate.http.Signals;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Sends requests through a gate, whose lanes are those of the service: throttles are waited out or
 * gone round, failures repeated where that is harmless, and a token that is refused is replaced
 * once. Thread-safe.
 */
public final class Calls {
  private final Service service;
  private final Gate gate;
  private final Run run;
  private final CallOptions options;

  private Calls(Service service, Gate gate, Run run, CallOptions options) {
    this.service = requireNonNull(service, "service");
    this.gate = requireNonNull(gate, "gate");
    this.run = requireNonNull(run, "run");
    this.options = options.withFailures(Signals::failed);
  }

  /** On nobody's account. */
  public static Calls through(Gate gate, Service service) {
    return new Calls(service, gate, Run.unbounded(), CallOptions.DEFAULTS);
  }

  /** The same with other options; whether a repeat is harmless is said with each call. */
  public Calls withOptions(CallOptions other) {
    return new Calls(service, gate, run, other);
  }

  /** What is called. */
  public Service service() {
    return service;
  }

  /**
   * How a call ended.
   *
   * @param answer the last
   * @param fault what it says went wrong; null if nothing did
   * @param repeated whether an earlier attempt may have been carried out
   * @param json its body; {@linkplain JsonNode#isMissingNode missing} if nothing was asked or a
   *     fault says why
   */
  public record Outcome(WebAnswer answer, @Nullable Fault fault, boolean repeated, JsonNode json) {}

  /**
   * Makes a call whatever it says, and gives back what came.
   *
   * @param harmless whether it may be repeated although it may have been carried out
   * @throws IOException if no answer came and attempts are out
   * @throws dev.sluice.gate.RefusedException if the gate refuses, or throttles do not end
   */
  public Outcome call(WebRequest request, boolean harmless)
      throws IOException, InterruptedException {
    if (!service.owns(request.uri())) {
      // Links come from answers: that one leads elsewhere is no fault of a lane.
      throw new IOException(
          "%s is not an address of the environment, so no token is sent there"
              .formatted(request.uri()));
    }
    Sending sending = new Sending(request);
    Reading last = gate.call(run, harmless ? options.repeatable() : options, sending);
    return new Outcome(last.answer(), last.fault(), sending.uncertain, sending.json);
  }

  /** Makes a call that only asks. */
  public Outcome read(WebRequest request) throws IOException, InterruptedException {
    Outcome outcome = call(request, true);
    if (outcome.fault() != null) {
      throw new FaultException(name(request), outcome.fault());
    }
    return outcome;
  }

  /** What a message calls a request: its method and path, without what a query may quote. */
  public static String name(WebRequest request) {
    return request.method() + " " + request.uri().getRawPath();
  }

  /** A request, sent as often as the gate says. */
  private final class Sending implements Call<Reading, IOException> {
    private final WebRequest request;
    private boolean uncertain; // whether an attempt may have been carried out
    private JsonNode json = MissingNode.getInstance();

    Sending(WebRequest request) {
      this.request = request;
    }

    @Override
    public Reply<Reading> send(Permit permit) throws IOException, InterruptedException {
      // Known to have had no effect only once something says so.
      boolean before = uncertain;
      uncertain = true;
      Reading reading;
      try {
        reading = service.send(permit.lane(), request);
        if (request.method().equals("GET")) {
          json = body(reading);
        }
      } catch (IOException e) {
        uncertain = before || isUncertain(Signals.failed(e));
        throw e;
      }
      uncertain = before || isUncertain(reading.signal());
      return new Reply<>(reading, reading.signal());
    }

    /**
     * What an answer to a question says; fails if it is asked again because a gateway spoilt it.
     */
    private JsonNode body(Reading reading) throws IOException {
      return switch (reading.fault()) {
        case null -> Json.read(reading.answer());
        case Fault.TooLarge bare when bare.code().isEmpty() -> // a question has no body
            throw new IOException(bare.message());
        default -> MissingNode.getInstance();
      };
    }

    /** The service has forgotten the token that was refused. */
    @Override
    public boolean renew() {
      return true;
    }
  }

  private static boolean isUncertain(Signal signal) {
    return signal instanceof Signal.Transient failure && failure.kind().outcomeUnknown();
  }
}

package dev.sluice.arena.contender;

import dev.sluice.arena.bout.Contender;
import dev.sluice.arena.bout.Sending;
import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.retry.Backoff;
import dev.sluice.control.retry.Decision;
import dev.sluice.control.retry.RecentCalls;
import dev.sluice.control.retry.Retries;
import dev.sluice.control.retry.RetryOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.DataverseGate;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.Identity;
import dev.sluice.dataverse.service.Routes;
import dev.sluice.dataverse.signin.Credential;
import dev.sluice.gate.Ask;
import dev.sluice.gate.CallOptions;
import dev.sluice.gate.Gate;
import dev.sluice.gate.GateBuilder;
import dev.sluice.gate.Permit;
import dev.sluice.gate.Run;
import java.net.URI;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The product as it is shipped: requests pass a {@link Gate}, and what is refused or fails is tried
 * again as {@link Gate#call} does for a call that may be repeated. Users are lanes named by their
 * numbers, or identities with lanes of their own to each server.
 */
public final class GateContender implements Contender {
  /** What the service takes to say who somebody is. */
  private static final long WHO_AM_I = TimeUnit.MILLISECONDS.toNanos(5);

  private final GivenTime time;
  private final Gate gate;
  private final Routes routes;
  private final RetryOptions retryOptions;
  private final RecentCalls recentCalls = new RecentCalls();
  private final Backoff backoff;
  private final WorldAnswers answers;
  private Attempts fresh;

  /** A gate with a lane like this for each of so many users. */
  public GateContender(int users, LaneOptions options, long seed) {
    this.time = new GivenTime(seed);
    GateBuilder builder = Gate.builder().time(time);
    names(users).forEach(name -> builder.lane(name, options));
    this.gate = builder.build();
    this.routes = Routes.PLAIN;
    this.retryOptions = CallOptions.DEFAULTS.repeatable().retries();
    this.backoff = new Backoff(time.random(), recentCalls);
    this.answers = new WorldAnswers(0);
    this.fresh = newAttempts();
  }

  /**
   * The gate that a client of a Dataverse environment has.
   *
   * @param pinned whether it asks for lanes to single servers
   * @param hint the degree of parallelism that the service recommends
   * @param roundTrip nanoseconds to the service and back
   */
  public GateContender(int users, boolean pinned, int hint, long roundTrip, long seed) {
    this.time = new GivenTime(seed);
    Credential unused = new Credential.ClientSecret("tenant", "client", "secret");
    DataverseOptions options =
        DataverseOptions.of(
                URI.create("https://arena.invalid"),
                names(users).map(name -> new Identity(name, unused)).toList())
            .withPinned(pinned);
    DataverseGate opener = new DataverseGate(options);
    this.routes = opener.routes();
    this.answers = new WorldAnswers(hint);
    names(users)
        .forEach(
            name ->
                routes.answered(
                    routes.of(name),
                    answers.firstContact(),
                    Signal.success(),
                    roundTrip + WHO_AM_I));
    this.gate = opener.open(names(users).toList(), time);
    this.retryOptions = CallOptions.DEFAULTS.withResilience(options.resilience()).retries();
    this.backoff = new Backoff(time.random(), recentCalls);
    this.fresh = newAttempts();
  }

  private static Stream<String> names(int users) {
    return IntStream.range(0, users).mapToObj(Integer::toString);
  }

  /** A call: its retries, and the attempt that is out. */
  private static final class Attempts {
    private final Retries retries;
    private @Nullable Permit permit;
    private Routes.@Nullable Route route;
    private long place = RecentCalls.NO_PLACE;
    private boolean isGivenUp;

    Attempts(Retries retries) {
      this.retries = retries;
    }
  }

  private Attempts newAttempts() {
    return new Attempts(new Retries(retryOptions, backoff, null));
  }

  @Override
  public boolean send(Sending sending, long now) {
    time.set(now);
    Attempts attempts =
        sending.account() instanceof Attempts earlier && !earlier.isGivenUp ? earlier : fresh;
    Ask ask = Ask.plain().forWork(answers.work(sending)).onBehalfOf(attempts);
    Permit permit = gate.tryAcquire(Run.unbounded(), ask);
    if (permit == null && gate.readyAt() <= now) { // one user has learned what frees another
      permit = gate.tryAcquire(Run.unbounded(), ask);
    }
    if (permit == null) {
      return false;
    }
    if (!attempts.retries.granted(permit.lane())) { // it is given up, and made anew
      attempts = newAttempts();
      boolean unused = attempts.retries.granted(permit.lane());
    }
    if (attempts == fresh) {
      fresh = newAttempts();
    }
    attempts.permit = permit;
    attempts.route = routes.of(permit.lane());
    String cookie = attempts.route.cookie();
    int server = cookie == null ? Sending.NONE : WorldAnswers.server(cookie);
    sending.through(Integer.parseInt(attempts.route.identity()), server, attempts, now);
    return true;
  }

  @Override
  public long wakeAt(long now) {
    time.set(now);
    return gate.readyAt();
  }

  @Override
  public long answered(Sending sending, long now) {
    time.set(now);
    Attempts attempts = (Attempts) Objects.requireNonNull(sending.account());
    Signal signal = answers.signal(sending);
    if (sending.answeredBy() != Sending.NONE) {
      routes.answered(
          Objects.requireNonNull(attempts.route),
          answers.answer(sending),
          signal,
          now - sending.sentAt());
    }
    Objects.requireNonNull(attempts.permit).settle(signal);
    attempts.place = recentCalls.settled(attempts.place, signal);
    Retries retries = attempts.retries;
    long again =
        switch (retries.settled(signal, now, () -> hasUntriedLane(retries))) {
          case Decision.Done() -> now;
          case Decision.GiveUp(Decision.Reason reason) -> GIVEN_UP;
          case Decision.Reroute() -> now;
          case Decision.AwaitLane() -> isShut() ? GIVEN_UP : now;
          case Decision.RetryAt(long notBefore) -> isShut() ? GIVEN_UP : notBefore;
        };
    attempts.isGivenUp = again == GIVEN_UP;
    return again;
  }

  private boolean hasUntriedLane(Retries retries) {
    return gate.statistics().lanes().stream()
        .anyMatch(lane -> !retries.isTried(lane.name()) && !lane.isThrottled() && !isShut(lane));
  }

  private boolean isShut() {
    return gate.statistics().lanes().stream().allMatch(GateContender::isShut);
  }

  private static boolean isShut(LaneStatistics lane) {
    return lane.circuit() == CircuitState.OPEN || lane.stopped().isPresent();
  }

  @Override
  public double level(long now) {
    return sum(LaneStatistics::parallelism, now);
  }

  @Override
  public double rate(long now) {
    return sum(LaneStatistics::rate, now);
  }

  private double sum(ToDoubleFunction<LaneStatistics> figure, long now) {
    time.set(now);
    return gate.statistics().lanes().stream().mapToDouble(figure).sum();
  }
}

package dev.sluice.gate.http;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.Signal.Answered;
import dev.sluice.control.signal.Signal.Rejected;
import dev.sluice.control.signal.Signal.Stopped;
import dev.sluice.control.signal.Signal.Success;
import dev.sluice.control.signal.Signal.Throttled;
import dev.sluice.control.signal.Signal.Transient;
import dev.sluice.gate.time.Time;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what answers mean: the one place where HTTP becomes a {@link Signal}.
 *
 * <p>Asked in this order: declared classifiers, then the table of statuses; declared dialects, then
 * the built-in ones. Bad hints never throw and never make a wait that is negative, zero or beyond
 * 31 days: they are ignored or replaced, and reported as {@link Flag}s. A wait that a service tells
 * is passed on exactly, without jitter.
 *
 * <p>One instance serves one service, because it learns that service's clock. Thread-safe; reading
 * an answer without hints allocates next to nothing.
 */
public final class Signals {
  private static final Logger log = LoggerFactory.getLogger(Signals.class);
  private static final Signals DEFAULTS = builder().build();

  private final List<Classifier> classifiers;
  private final List<Dialect> dialects;
  private final StatusTable table;
  private final WaitOptions waits;
  private final WaitParser parser;
  private final ClockSkew skew = new ClockSkew();

  private Signals(Builder builder) {
    classifiers = List.copyOf(builder.classifiers);
    dialects = List.copyOf(builder.dialects);
    table = new StatusTable(builder.expectsJson);
    waits = builder.waits;
    parser = new WaitParser(waits);
  }

  /** The signal of an answer that has just come, read with the defaults. */
  public static Signal read(HttpResponse<?> response) {
    Reading reading = DEFAULTS.read(Answer.of(response, Time.real()));
    if (!reading.flags().isEmpty()) {
      log.debug("odd hints flags={}", reading.flags());
    }
    return reading.signal();
  }

  /**
   * The signal of a request that ended in an exception instead of an answer; never throws. Wrappers
   * such as {@link java.util.concurrent.CompletionException} are looked through. Unless it is
   * certain that the request did not leave, its outcome is unknown.
   */
  public static Signal failed(Throwable failure) {
    return TransportFailures.signal(failure);
  }

  /**
   * Whether a status says that the service is short of capacity: 503, 509 or 529. A wait told with
   * it concerns everybody; told with another 5xx, it concerns that request alone.
   */
  public static boolean isUnavailable(int status) {
    return status == 503 || status == 509 || status == 529;
  }

  /** Whether the header of an answer speaks of a limit, whatever its body says or fails to say. */
  public static boolean isLimit(int status, HttpHeaders headers) {
    return status == 429
        || isUnavailable(status)
        || (status >= 400 && headers.firstValue("Retry-After").isPresent());
  }

  /** Begins a reader with something declared. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Reads an answer. Answers that a cache of your own gave need neither a permit nor a reading.
   *
   * <p>A throttle's wait is the signal's own, and its hints repeat none. The only not-before on any
   * other answer is a hint's {@link QuotaHint#retryAfter}: either told, or the reset of a limit
   * that is used up and that resets within its window (an hour if the window is unknown). What is
   * told on a success never ends a hold that stands.
   */
  public Reading read(Answer answer) {
    if (fromCache(answer)) {
      Meaning meaning = meaning(answer, Findings.NONE);
      return new Reading(meaning.signal, EnumSet.of(Flag.FROM_CACHE), meaning.reach(Findings.NONE));
    }
    ServerClock.sample(answer, skew);
    boolean builtIn = BuiltIn.knowsSomethingIn(answer.headers());
    if (!builtIn && dialects.isEmpty()) {
      Meaning meaning = meaning(answer, Findings.NONE);
      return meaning.signal.equals(Signal.SUCCESS)
          ? Reading.SUCCESS
          : new Reading(meaning.signal, Set.of(), meaning.reach(Findings.NONE));
    }
    EnumSet<Flag> flags = EnumSet.noneOf(Flag.class);
    ServerClock clock = new ServerClock(answer, skew);
    StatementReader reader = new StatementReader(waits, parser, clock, flags);
    List<Finding> found = new ArrayList<>();
    for (Statement statement : statements(answer, builtIn, flags)) {
      found.add(reader.read(statement));
    }
    Findings findings = new Findings(found);
    Meaning meaning = meaning(answer, findings);
    Signal complete = complete(meaning.signal, findings, flags);
    if (clock.misled()) {
      flags.add(Flag.CLOCK_SKEW);
    }
    return new Reading(complete, flags, meaning.reach(findings));
  }

  private static boolean fromCache(Answer answer) {
    for (String line : answer.header("age")) {
      Decimal age = Decimal.parse(line);
      if (age != null && age.floor() > 0) {
        return true;
      }
    }
    return false;
  }

  /** What declared dialects have spoken about, quota or waits, the built-in ones leave alone. */
  private List<Statement> statements(Answer answer, boolean builtIn, Set<Flag> flags) {
    List<Statement> statements = new ArrayList<>();
    for (Dialect dialect : dialects) {
      try {
        statements.addAll(dialect.read(answer));
      } catch (RuntimeException e) {
        // Its message may quote a header, which is for whoever looks for the bug, not for all.
        log.warn(
            "dialect {} cannot read an answer: {} at {}; all of it at level debug",
            dialect,
            e.getClass().getName(),
            e.getStackTrace().length == 0 ? "an unknown place" : e.getStackTrace()[0]);
        log.debug("dialect {} cannot read an answer", dialect, e);
        flags.add(Flag.HINT_MALFORMED);
      }
    }
    if (builtIn) {
      boolean quota = statements.stream().noneMatch(Statement::tellsQuota);
      boolean wait = statements.stream().noneMatch(Statement::tellsWait);
      if (quota) {
        statements.addAll(BuiltIn.QUOTA.read(answer));
      }
      if (wait) {
        statements.addAll(BuiltIn.WAITS.read(answer));
      }
    }
    return statements;
  }

  /**
   * What an answer means, before hints are filled in.
   *
   * @param declared whom it keeps away, where whoever knew what it means said so
   */
  private record Meaning(Signal signal, Optional<Reach> declared) {
    /** Whoever gave the wait of a throttle says whom it is about. */
    Reach reach(Findings findings) {
      if (!(signal instanceof Throttled throttled)) {
        return Reach.PROVIDER;
      }
      return declared.orElseGet(
          () -> throttled.retryAfter().isPresent() ? Reach.PROVIDER : findings.reach());
    }
  }

  private Meaning meaning(Answer answer, Findings findings) {
    for (Classifier classifier : classifiers) {
      Optional<Signal> known = classifier.classify(answer);
      if (known.isPresent()) {
        return new Meaning(known.get(), classifier.reach());
      }
    }
    return new Meaning(table.signal(answer, findings), Optional.empty());
  }

  /** Fills in what the signal leaves empty. */
  private static Signal complete(Signal signal, Findings findings, Set<Flag> flags) {
    List<QuotaHint> read = findings.hints(signal, flags);
    List<QuotaHint> quota = signal.quota().isEmpty() ? read : signal.quota();
    if (signal instanceof Throttled throttled) {
      return new Throttled(
          throttled.retryAfter().or(findings::stayAway),
          throttled.facet(),
          throttled.code(),
          quota);
    }
    if (quota.isEmpty()) {
      return signal;
    }
    return switch (signal) {
      case Success success -> new Success(success.durationNanos(), quota);
      case Throttled throttled -> throttled;
      case Answered answered -> new Answered(answered.kind(), quota);
      case Transient failure -> new Transient(failure.kind(), quota);
      case Stopped stopped -> new Stopped(stopped.reason(), quota);
      case Rejected rejected -> new Rejected(rejected.kind(), quota);
      case Signal.Cancelled cancelled -> cancelled;
    };
  }

  /** Collects what is declared. Not thread-safe. */
  public static final class Builder {
    private final List<Classifier> classifiers = new ArrayList<>();
    private final List<Dialect> dialects = new ArrayList<>();
    private boolean expectsJson;
    private WaitOptions waits = WaitOptions.DEFAULTS;

    private Builder() {}

    /** Asked before the table of statuses; several are asked in the order given. */
    public Builder classifier(Classifier classifier) {
      classifiers.add(requireNonNull(classifier, "classifier"));
      return this;
    }

    /**
     * A declared code: answers that match mean {@code signal}, with hints and a throttle's wait
     * filled in from the answer.
     */
    public Builder when(Predicate<Answer> matches, Signal signal) {
      requireNonNull(matches, "matches");
      Optional<Signal> meaning = Optional.of(signal);
      return classifier(answer -> matches.test(answer) ? meaning : Optional.empty());
    }

    /** Read before the built-in dialects; several are all read. */
    public Builder dialect(Dialect dialect) {
      dialects.add(requireNonNull(dialect, "dialect"));
      return this;
    }

    /** The service speaks JSON: a page in its place on 2xx or 403 is a throttle. */
    public Builder expectJson() {
      expectsJson = true;
      return this;
    }

    /** Which waits are taken at their word. */
    public Builder waits(WaitOptions options) {
      waits = requireNonNull(options, "options");
      return this;
    }

    /** The reader. */
    public Signals build() {
      return new Signals(this);
    }
  }
}

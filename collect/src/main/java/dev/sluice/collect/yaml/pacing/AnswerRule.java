package dev.sluice.collect.yaml.pacing;

import dev.sluice.collect.yaml.text.Condition;
import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.Signal.Facet;
import dev.sluice.control.signal.Signal.Rejected;
import dev.sluice.control.signal.Signal.Stopped;
import dev.sluice.control.signal.Signal.Throttled;
import dev.sluice.control.signal.Signal.Transient;
import dev.sluice.gate.http.Answer;
import dev.sluice.gate.http.Classifier;
import dev.sluice.gate.http.Signals;
import dev.sluice.gate.http.WaitOptions;
import dev.sluice.gate.http.WaitParser;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What answers mean that a condition holds for. Immutable.
 *
 * @param waitAt where a throttle tells how long to stay away, if not where all do
 * @param atLeast how long to stay away, whatever it tells
 * @param reach whom a throttle keeps away; empty to leave it to the answer
 * @param because why a provider that stops does so
 * @param say words for people, which the log gets
 * @param usual reads the wait of every answer as that of a throttle, by the rules for all
 */
record AnswerRule(
    Condition when,
    Meaning mean,
    Optional<Told> waitAt,
    Optional<Duration> atLeast,
    Optional<Reach> reach,
    Stopped.Reason because,
    String say,
    Signals usual)
    implements Classifier {
  private static final Logger log = LoggerFactory.getLogger(AnswerRule.class);
  private static final WaitParser WAITS = new WaitParser(WaitOptions.DEFAULTS);

  @Override
  public Optional<Signal> classify(Answer answer) {
    if (!when.holds(new AnswerFacts(answer))) {
      return Optional.empty();
    }
    if (!say.isEmpty()) {
      log.warn("answer status={} means={}: {}", answer.status(), mean.word(), say);
    }
    return Optional.of(
        switch (mean) {
          case OK -> Signal.success();
          case THROTTLED -> new Throttled(stayAway(answer), Facet.UNKNOWN, "", List.of());
          case TRANSIENT -> Signal.transientFailure(Transient.Kind.SERVER_ERROR);
          case STOP -> Signal.stopped(because);
          case FORBIDDEN -> Signal.rejected(Rejected.Kind.FORBIDDEN);
          case NOT_FOUND -> Signal.rejected(Rejected.Kind.NOT_FOUND);
          case GONE -> Signal.rejected(Rejected.Kind.GONE);
          case INVALID -> Signal.rejected(Rejected.Kind.INVALID);
        });
  }

  /**
   * The wait, where this rule has something to say about it; the rules for all fill in the rest.
   */
  private Optional<Duration> stayAway(Answer answer) {
    Optional<Duration> told = told(answer);
    if (atLeast.isEmpty()) {
      return told;
    }
    Optional<Duration> known =
        told.isPresent()
            ? told
            : usual.read(answer).signal() instanceof Throttled throttled
                ? throttled.retryAfter()
                : Optional.empty();
    return known.filter(wanted -> wanted.compareTo(atLeast.get()) > 0).or(() -> atLeast);
  }

  private Optional<Duration> told(Answer answer) {
    if (waitAt.isEmpty()) {
      return Optional.empty();
    }
    InstantSource clock = InstantSource.fixed(QuotaRule.clock(answer));
    return waitAt.get().find(answer).stream()
        .map(text -> WAITS.read(text, waitAt.get().form(), clock).stayAway())
        .flatMap(Optional::stream)
        .max(Duration::compareTo);
  }

  /** What an answer can mean. */
  enum Meaning {
    OK,
    THROTTLED,
    TRANSIENT,
    STOP,
    FORBIDDEN,
    NOT_FOUND,
    GONE,
    INVALID;

    String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}

package dev.sluice.arena.bout;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Plays one contender against one world, event by event. Nothing is real: neither time nor threads,
 * so that equal contenders and worlds give equal scores to the last digit.
 */
public final class Bout {
  private static final long REFUSED_IN = 2_000_000; // a refusal costs the service 2 ms

  /** Silence that needs no explanation: as long as a circuit is open, or between two probes. */
  private static final long QUIET = TimeUnit.SECONDS.toNanos(65);

  /** A client that probes a closed provider may be silent for this share of the time closed. */
  private static final double PROBING = 0.11;

  private static final long NOT_BLOCKED = -1;

  private final Contender contender;
  private final World world;
  private final Job job;
  private final Watch watch;

  private final Events events = new Events();

  /** What was refused or failed, and may be sent again. */
  private final Deque<Sending> ready = new ArrayDeque<>();

  /** What was given up: it comes after all that was never sent. */
  private final Deque<Sending> back = new ArrayDeque<>();

  /** The next that was never sent, which goes after them: they are older. */
  private @Nullable Sending fresh;

  private final Deque<Sending> spare = new ArrayDeque<>();

  private long now;
  private long drawn;
  private long done;
  private long gaps;
  private long refused;
  private long failed;
  private long givenUp;
  private long longestWait;
  private long blockedSince = NOT_BLOCKED;
  private long toldUntil;
  private long succeededAt;
  private long silence;
  private long waitedTold;
  private long waitedForAnswers;
  private long waitedOwn;

  private Bout(Contender contender, World world, Job job, Watch watch) {
    this.contender = contender;
    this.world = world;
    this.job = job;
    this.watch = watch;
  }

  /** Plays to the end. */
  public static Score play(Contender contender, World world, Job job) {
    return play(contender, world, job, Watch.NOBODY);
  }

  /** Plays to the end before somebody who watches. */
  public static Score play(Contender contender, World world, Job job, Watch watch) {
    return new Bout(contender, world, job, watch).play();
  }

  private Score play() {
    while (!isDone() && !world.suspended()) {
      pump();
      long wakeAt = wakeAt();
      if (wakeAt <= now) {
        throw new IllegalStateException(
            "%s would wake at %d ns but sends nothing at %d ns".formatted(contender, wakeAt, now));
      }
      long next = Math.min(events.nextAt(), wakeAt);
      if (blockedSince != NOT_BLOCKED) {
        noteWait(wakeAt == Contender.NEVER, Math.min(next, job.deadline()));
      }
      if (next >= job.deadline()) {
        watch.passing(now, job.deadline(), contender, world);
        noteSilence(job.deadline());
        break;
      }
      watch.passing(now, next, contender, world);
      now = next;
      while (events.nextAt() <= now) {
        happen(events.take());
      }
    }
    return new Score(
        done,
        gaps,
        refused,
        failed,
        givenUp,
        isDone() ? now : job.deadline(),
        isDone(),
        longestWait,
        world.pressed(),
        silence,
        world.suspended(),
        new Score.Waited(waitedTold, waitedForAnswers, waitedOwn));
  }

  /** There is work that is not sent before {@code until}. */
  private void noteWait(boolean forAnswers, long until) {
    long told = Math.clamp(toldUntil, now, until) - now;
    waitedTold += told;
    if (forAnswers) {
      waitedForAnswers += until - now - told;
    } else {
      waitedOwn += until - now - told;
    }
  }

  private boolean isDone() {
    return done + gaps >= job.requests();
  }

  /** Ends a time in which there was work and nothing was sent. */
  private void noteSilence(long until) {
    if (blockedSince != NOT_BLOCKED && !world.limitsAreKnown()) {
      long from = Math.max(blockedSince, toldUntil);
      if (until - from > Math.max((double) QUIET, PROBING * (until - succeededAt))) {
        silence = Math.max(silence, until - from);
      }
      blockedSince = NOT_BLOCKED;
    }
  }

  /** Sends all that may be sent now. */
  private void pump() {
    for (Sending next = peek(); next != null; next = peek()) {
      next.left = left(); // it may have waited while others were done
      if (!contender.send(next, now)) {
        blockedSince = blockedSince == NOT_BLOCKED ? now : blockedSince;
        return;
      }
      noteSilence(now);
      if (next == fresh) {
        fresh = null;
      } else {
        Sending unused = (next == ready.peek() ? ready : back).remove();
      }
      next.phase = Sending.Phase.TO_SERVICE;
      events.add(next, now + world.oneWay());
      watch.sent(next, now);
    }
    blockedSince = NOT_BLOCKED; // there is no work
  }

  private @Nullable Sending peek() {
    Sending again = ready.peek();
    if (again != null) {
      return again;
    }
    if (fresh == null && drawn < job.requests()) {
      Sending next = spare.isEmpty() ? new Sending() : spare.remove();
      next.reuse(drawn, world.operation(drawn, now));
      next.phase = Sending.Phase.READY;
      drawn++;
      fresh = next;
    }
    return fresh != null ? fresh : back.peek();
  }

  private long left() {
    return job.isEndless() ? Long.MAX_VALUE : job.requests() - done - gaps;
  }

  private long wakeAt() {
    return ready.isEmpty() && fresh == null && back.isEmpty()
        ? Contender.NEVER
        : contender.wakeAt(now);
  }

  private void happen(Sending sending) {
    switch (sending.phase) {
      case READY -> ready.add(sending);
      case TO_SERVICE -> {
        world.arrive(sending, now);
        if (sending.isAdmitted() || sending.duration() > 0) {
          sending.phase = Sending.Phase.IN_SERVICE;
          events.add(sending, now + sending.duration());
        } else {
          sending.phase = Sending.Phase.TO_CLIENT;
          events.add(sending, now + REFUSED_IN + world.oneWay());
        }
      }
      case IN_SERVICE -> {
        world.finish(sending, now);
        sending.phase = Sending.Phase.TO_CLIENT;
        events.add(sending, now + world.oneWay() + sending.lostFor());
      }
      case TO_CLIENT -> answer(sending);
    }
  }

  private void answer(Sending sending) {
    sending.left = left();
    long again = contender.answered(sending, now);
    watch.answered(sending, now);
    if (sending.isAdmitted()) {
      done++;
      succeededAt = now;
      spare.add(sending);
      return;
    }
    if (sending.isRefused()) {
      refused++;
      longestWait = Math.max(longestWait, sending.retryAfter());
      toldUntil = Math.max(toldUntil, now + sending.retryAfter());
    } else {
      failed++;
    }
    sending.phase = Sending.Phase.READY;
    if (again == Contender.GIVEN_UP && sending.isBroken()) {
      gaps++;
      spare.add(sending);
    } else if (again == Contender.GIVEN_UP) {
      givenUp++;
      sending.startOver();
      back.add(sending);
    } else if (again > now) {
      events.add(sending, again);
    } else {
      ready.addFirst(sending);
    }
  }
}

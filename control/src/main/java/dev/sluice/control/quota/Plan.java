package dev.sluice.control.quota;

import dev.sluice.control.policy.Work;

/**
 * How many at once get the job done soonest? Many at once finish a budget early, but make the
 * service slower, so that a budget of execution time buys less. So a job that does not end soon
 * goes evenly, as fast as budgets come back; a short one goes as fast as its budgets allow.
 *
 * <p>Answers are fractions: four and a half at once are four, and a fifth half of the time.
 * Single-threaded; nanoseconds.
 */
final class Plan {
  /** A little faster than can be sustained: what is too much, the ledger stops. */
  private static final double AHEAD = 1.1;

  /** How much faster, for each budget that is behind an even spend. */
  private static final double CATCH_UP = 3;

  /** A job without an end may be so many budgets ahead of an even spend. */
  private static final double HEAD_START = 0.05;

  /** Where budgets are unknown, so much faster than what is known of them sustains. */
  private static final double FURTHER = 1.25;

  /** So many times what can be sustained until answers show how long requests take. */
  private static final double FIRST = 2;

  /** So many requests for each one that is recommended at once are a small job: it may sprint. */
  private static final double SMALL = 50;

  /** So much more and less at once in turn until answers show what load does to them. */
  private static final double VARIED = 1.5;

  private final double requestLimit;
  private final double timeLimit;
  private final double window;
  private final LatencyModel latency;
  private final Observed observed;
  private final long since;
  private final Jobs jobs = new Jobs();
  private long done;
  private boolean more;

  /** For an account that has spent nothing until {@code now}. */
  Plan(QuotaOptions options, LatencyModel latency, Observed observed, long now) {
    this.requestLimit = (double) options.requests();
    this.timeLimit = (double) options.executionTime().toNanos();
    this.window = (double) options.window().toNanos();
    this.latency = latency;
    this.observed = observed;
    this.since = now;
  }

  /** A request starts. */
  void started(Work work) {
    jobs.started(work);
  }

  void done() {
    done++;
  }

  private boolean isEndless() {
    return Double.isNaN(jobs.left());
  }

  /** The requests of all jobs that fall to this account, by its share so far. */
  private double ownWork() {
    double byAll = jobs.done();
    return byAll < Jobs.ENOUGH ? Double.NaN : done + jobs.left() * Math.min(1, done / byAll);
  }

  /**
   * How many at once where nobody knows how many budgets there are: at least {@code spent}, and
   * probably as many as sustain what the service recommends.
   */
  double inFlightUnknown(double spent, double most, long now) {
    double likely = Math.max(1, Math.max(spent, observed.degree() * window / timeLimit));
    if (isEndless()) {
      return FURTHER * Math.max(observed.degree(), sustained(Math.max(1, spent)));
    }
    return Math.max(FIRST * observed.degree(), inFlight(likely, spent, most, now));
  }

  private boolean isSmall() {
    return jobs.left() <= SMALL * observed.degree();
  }

  /** How many at once, at most {@code most}, when {@code level} of the budgets is used up. */
  double inFlight(double budgets, double level, double most, long now) {
    if (isEndless()) {
      double even = Math.min(0.98, HEAD_START + (now - since) / window);
      return (AHEAD + CATCH_UP * Math.max(0, even - level / budgets)) * sustained(budgets);
    }
    double work = ownWork();
    if (!latency.isKnown() || Double.isNaN(work)) {
      return isSmall() ? most : FIRST * budgets * timeLimit / window;
    }
    double mean = jobs.mean(latency);
    double best = most;
    double soonest = Double.POSITIVE_INFINITY;
    for (double n = most; n >= 1; n = Math.min(n - 1, n * 0.9)) {
      double time =
          time(0.95 * work, n, budgets, mean)
              + time(work, n, budgets, mean)
              + time(1.05 * work, n, budgets, mean);
      if (time < soonest * 0.98) {
        soonest = time;
        best = n;
      }
    }
    if (latency.isSloped()) {
      return best;
    }
    more = !more;
    return more ? VARIED * best : best / VARIED;
  }

  /** Half the time between two requests at the pace that can be sustained. */
  double spacing(double budgets) {
    double service = latency.isKnown() ? at(budgets * timeLimit / window) : 0;
    return window / (2 * budgets * Math.min(requestLimit, timeLimit / service));
  }

  private double at(double inFlight) {
    return latency.at(inFlight, jobs.mean(latency));
  }

  /** How many at once spend the budgets exactly as they come back. */
  private double sustained(double budgets) {
    double running = budgets * timeLimit / window;
    if (!latency.isKnown()) {
      return running;
    }
    double service = at(running);
    double byTime = running * (service + observed.roundTrip()) / service;
    double byRequests = budgets * requestLimit / window * (service + observed.roundTrip());
    return Math.min(byTime, byRequests);
  }

  /** How long the work takes with so many at once: all full windows but the last, and the rest. */
  private double time(double work, double inFlight, double budgets, double mean) {
    double service = latency.at(inFlight, mean);
    double perWindow = budgets * Math.min(requestLimit, timeLimit / service);
    double each = (service + observed.roundTrip()) / inFlight;
    double full = Math.max(0, Math.ceil(work / perWindow) - 1);
    double rest = work - full * perWindow;
    return full * Math.max(window, perWindow * each) + rest * each;
  }
}

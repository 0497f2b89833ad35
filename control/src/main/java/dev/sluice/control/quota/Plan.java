package dev.sluice.control.quota;

/**
 * How many at once get the job done soonest? Many at once finish a budget early, but make the
 * service slower, so that a budget of execution time buys less. Single-threaded; nanoseconds.
 */
final class Plan {
  /** While a budget is unused, a job without an end goes so much faster than can be sustained. */
  private static final double CATCH_UP = 2;

  /** So many requests, all accounts' together, show which share of a job falls to this one. */
  private static final int ENOUGH = 20;

  private final double requestLimit;
  private final double timeLimit;
  private final double window;
  private double left = Double.NaN;
  private double doneByAll;
  private long done;

  Plan(QuotaOptions options) {
    this.requestLimit = (double) options.requests();
    this.timeLimit = (double) options.executionTime().toNanos();
    this.window = (double) options.window().toNanos();
  }

  /** A request starts, and so many of the job are not done, those of other accounts included. */
  void left(long requests) {
    double since = left - requests;
    left = (double) requests;
    if (since >= 0 && (since <= ENOUGH || since <= 0.1 * left)) { // else batches have grown
      doneByAll += since;
    }
  }

  void endless() {
    left = Double.NaN;
  }

  boolean isEndless() {
    return Double.isNaN(left);
  }

  void done() {
    done++;
  }

  /** The requests of the whole job that fall to this account, by its share so far. */
  private double ownWork() {
    return doneByAll < ENOUGH ? Double.NaN : done + left * Math.min(1, done / doneByAll);
  }

  /**
   * How many at once, at most {@code most}, when {@code level} of the budgets is used up.
   *
   * @param network the part of each answer's time that is no execution time
   */
  double inFlight(LatencyModel latency, double network, double budgets, double level, double most) {
    if (Double.isNaN(left)) {
      double ahead = 1 + CATCH_UP * Math.max(0, 1 - level / budgets);
      return Math.ceil(ahead * sustained(latency, network, budgets));
    }
    double work = ownWork();
    if (!latency.isKnown() || Double.isNaN(work)) {
      return most;
    }
    double best = most;
    double soonest = Double.POSITIVE_INFINITY;
    for (double n = most; n >= 1; n = Math.min(n - 1, n * 0.9)) {
      double time =
          time(0.95 * work, n, latency, network, budgets)
              + time(work, n, latency, network, budgets)
              + time(1.05 * work, n, latency, network, budgets);
      if (time < soonest * 0.98) {
        soonest = time;
        best = n;
      }
    }
    return best;
  }

  /** Half the time between two requests at the pace that can be sustained. */
  double spacing(LatencyModel latency, double budgets) {
    double service = latency.isKnown() ? latency.at(budgets * timeLimit / window) : 0;
    return window / (2 * budgets * Math.min(requestLimit, timeLimit / service));
  }

  /** How many at once spend the budgets exactly as they come back. */
  private double sustained(LatencyModel latency, double network, double budgets) {
    double running = budgets * timeLimit / window;
    if (!latency.isKnown()) {
      return running;
    }
    double service = latency.at(running);
    double byTime = running * (service + network) / service;
    double byRequests = budgets * requestLimit / window * (service + network);
    return Math.min(byTime, byRequests);
  }

  /** How long the work takes with so many at once: all full windows but the last, and the rest. */
  private double time(
      double work, double inFlight, LatencyModel latency, double network, double budgets) {
    double service = latency.at(inFlight);
    double perWindow = budgets * Math.min(requestLimit, timeLimit / service);
    double each = (service + network) / inFlight;
    double full = Math.max(0, Math.ceil(work / perWindow) - 1);
    double rest = work - full * perWindow;
    return full * Math.max(window, perWindow * each) + rest * each;
  }
}

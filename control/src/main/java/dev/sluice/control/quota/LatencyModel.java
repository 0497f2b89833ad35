package dev.sluice.control.quota;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How long the service takes, as a line over the number in flight, fitted to recent answers, older
 * ones fading. Answers are compared with others to the same kind of operation only, so that quick
 * operations are not taken for a quick service.
 *
 * <p>The slope is never negative: load does not make a service quicker. It can be seen only while
 * the number changes, so the best look at it is remembered. What is seen is weighed against what is
 * expected of any service, by how sure it is. Single-threaded; nanoseconds.
 */
final class LatencyModel {
  private static final double FADE = 0.99;

  /** So much less sure is a look at the slope with every answer since. */
  private static final double AGE = 1.001;

  /** Fewer answers show nothing but chance. */
  private static final double ENOUGH = 16;

  /** So few show at least how long answers take. */
  private static final double KNOWN = 5;

  /** No look is so sure that a new one could not replace it. */
  private static final double SUREST = 0.001;

  /** So much slower a service is expected to get by each request, give or take as much. */
  private static final double EXPECTED = 1.0 / 60;

  private final Map<String, Sums> kinds = new HashMap<>();
  private final Map<String, Duration> remembered = new HashMap<>();
  private final Sums all = new Sums();
  private double slope = EXPECTED; // as a share of the average, per request in flight
  private double error = Double.POSITIVE_INFINITY; // its standard error

  /** What a line is fitted by. */
  private static final class Sums {
    private double weight;
    private double n;
    private double t;
    private double nn;
    private double nt;
    private double tt;

    void add(double inFlight, double nanos) {
      weight = weight * FADE + 1;
      n = n * FADE + inFlight;
      t = t * FADE + nanos;
      nn = nn * FADE + inFlight * inFlight;
      nt = nt * FADE + inFlight * nanos;
      tt = tt * FADE + nanos * nanos;
    }

    double mean() {
      return t / weight;
    }
  }

  /** An answer to this kind of operation, with so many in flight when it was sent. */
  void answered(String kind, double inFlight, double nanos) {
    all.add(inFlight, nanos);
    String known = kinds.size() < QuotaProfile.MOST_KINDS || kinds.containsKey(kind) ? kind : "";
    kinds.computeIfAbsent(known, each -> new Sums()).add(inFlight, nanos);
    error *= AGE;
    if (all.weight >= ENOUGH) {
      look();
    }
  }

  private void look() {
    double spread = 0;
    double together = 0;
    double varied = 0;
    for (Sums kind : kinds.values()) {
      double mean = kind.mean();
      if (mean > 0) {
        spread += kind.nn - kind.n * kind.n / kind.weight;
        together += kind.nt / mean - kind.n;
        varied += kind.tt / mean / mean - kind.weight;
      }
    }
    if (spread < all.weight / 4) {
      return; // without a spread of numbers there is no slope to be seen
    }
    double unexplained = Math.max(0, varied - together * together / spread);
    double newError = Math.max(SUREST, Math.sqrt(unexplained / (all.weight - 2) / spread));
    if (newError <= error) {
      error = newError;
      double sure = 1 / (error * error);
      double before = 1 / (EXPECTED * EXPECTED);
      slope = Math.max(0, (before * EXPECTED + sure * together / spread) / (before + sure));
    }
  }

  /** Whether answers have shown what load does to them. */
  boolean isSloped() {
    return error < Double.POSITIVE_INFINITY;
  }

  boolean isKnown() {
    return all.weight >= KNOWN;
  }

  /** Nanoseconds that answers took lately, whatever they answered. */
  double mean() {
    return all.mean();
  }

  /**
   * The same of answers to one kind of operation. While too few of them are known, what was
   * remembered of it, or else that of all.
   */
  double mean(String kind) {
    Sums known = kinds.get(kind);
    if (known != null && known.weight >= KNOWN) {
      return known.mean();
    }
    Duration before = remembered.get(kind);
    return before == null ? mean() : (double) before.toNanos();
  }

  /** What kinds of operations took before; counts for each until its own answers tell. */
  void remember(Map<String, Duration> costs) {
    remembered.putAll(costs);
  }

  /** What kinds of operations take, for whoever comes next. */
  Map<String, Duration> costs() {
    Map<String, Duration> costs = new HashMap<>(remembered);
    kinds.forEach(
        (kind, sums) -> {
          if (!kind.isEmpty() && sums.weight >= KNOWN) {
            Duration unused = costs.put(kind, Duration.ofNanos((long) sums.mean()));
          }
        });
    return costs;
  }

  /** Nanoseconds to be expected with so many in flight; at least a tenth of the average. */
  double at(double inFlight) {
    return at(inFlight, mean());
  }

  /** The same of operations that take so long on average. */
  double at(double inFlight, double mean) {
    double expected = mean * Math.max(0.1, 1 + slope * (inFlight - all.n / all.weight));
    return Math.max(1, expected); // never zero: it is divided by
  }
}

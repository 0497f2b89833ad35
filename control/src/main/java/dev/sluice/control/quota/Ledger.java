package dev.sluice.control.quota;

import dev.sluice.control.policy.Figures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The service's books, kept on our side: what one account spent in the last window of requests and
 * of execution time. Execution time is booked both ways, when a request ends and second by second
 * while it runs, because services do not say which they do: the larger counts, which is safe under
 * both.
 *
 * <p>The unit is one budget: 1 means that one server's limit is used up. Single-threaded;
 * nanoseconds that do not go back.
 */
final class Ledger {
  /** Of execution time a little is left: for what was sent and is on its way. */
  private static final double GUARD = 0.995;

  /** What was remembered is wrong if so much more of each budget was let in. */
  private static final double LET_IN = 0.05;

  /** What runs when a budget ends is not cut off: so much of each may be spent. */
  private static final double MORE_THAN_ALL = 1.25;

  /** So many cells of a window are told as one. */
  private static final int CELLS_EACH = 25;

  private final double requestLimit;
  private final double timeLimit;
  private final long window;
  private final Observed observed;
  private final SpendWindow requests;
  private final SpendWindow ended;
  private final SpendWindow running;
  private final List<Remembered> remembered = new ArrayList<>();
  private boolean confirmed; // what is remembered
  private double edge = Double.POSITIVE_INFINITY; // the least level at which it left no room
  private int inFlight;
  private long bookedUntil;

  Ledger(QuotaOptions options, Observed observed, long now) {
    this.observed = observed;
    this.window = options.window().toNanos();
    this.requestLimit = (double) options.requests();
    this.timeLimit = (double) options.executionTime().toNanos();
    this.requests = new SpendWindow(window, now);
    this.ended = new SpendWindow(window, now);
    this.running = new SpendWindow(window, now);
    this.bookedUntil = now;
  }

  void started(long now) {
    book(now);
    requests.add(1, now, now);
    inFlight++;
  }

  /**
   * A request ended after so much execution time.
   *
   * @param network for how much longer it was out than it ran
   */
  void ended(long executionTime, long network, long now) {
    book(now);
    inFlight--;
    ended.add((double) executionTime, now, now);
    running.add((double) -network, now, now);
  }

  /** A request ended that was never started here. */
  void booked(long executionTime, long now) {
    requests.add(1, now, now);
    ended.add((double) executionTime, now, now);
    running.add((double) executionTime, now, now);
  }

  /** A request was refused, or never sent: it does not count. */
  void undone(long sentAt, long now) {
    book(now);
    inFlight--;
    requests.add(-1, sentAt, now);
    running.add((double) -(now - sentAt), now, now);
  }

  /** Books the time for which requests have been running. */
  private void book(long now) {
    if (now - bookedUntil > 0) {
      running.add((double) inFlight * (now - bookedUntil), now, now);
      bookedUntil = now;
    }
  }

  /** How many budgets are used up. */
  double level(long now) {
    book(now);
    return Math.max(
        requests.sum(now) / requestLimit, Math.max(ended.sum(now), running.sum(now)) / timeLimit);
  }

  /** The same without what is running. */
  double endedLevel(long now) {
    return Math.max(requests.sum(now) / requestLimit, ended.sum(now) / timeLimit);
  }

  /** Whether one more request fits into so many budgets. */
  boolean hasRoom(double budgets, long now) {
    book(now);
    double time = GUARD * budgets * timeLimit;
    return requests.sum(now) < requestRoom(budgets)
        && ended.sum(now) < time - ending()
        && running.sum(now) < time;
  }

  /** When one more request will fit, if nothing more is spent; {@code now} if it does. */
  long roomAt(double budgets, long now) {
    book(now);
    double time = GUARD * budgets * timeLimit;
    return Math.max(
        requests.belowAt(requestRoom(budgets), now),
        Math.max(ended.belowAt(time - ending(), now), running.belowAt(time, now)));
  }

  /** What ends before a request gets there, and is not known here yet. */
  private double ending() {
    return (double) inFlight * observed.roundTrip();
  }

  /** Requests are counted exactly, so nothing needs to be left over. */
  private double requestRoom(double budgets) {
    return Math.floor(budgets * requestLimit);
  }

  /**
   * Books what was spent before, as far as it still counts.
   *
   * @param share of it
   * @param budgets how many there are at most
   */
  void remember(List<QuotaProfile.Spent> spent, double share, double budgets, long now) {
    for (QuotaProfile.Spent each : spent) {
      long ago = each.ago().toNanos();
      if (ago < window) {
        remembered.add(
            new Remembered(
                now - ago, share * each.requests(), share * each.executionTime().toNanos()));
      }
    }
    double tooMuch = Math.max(1, remembered(now) / (MORE_THAN_ALL * budgets));
    remembered.replaceAll(
        each -> new Remembered(each.at, each.requests / tooMuch, each.time / tooMuch));
    remembered.forEach(each -> add(each, 1, now));
  }

  /** A part of what was spent before, when, and how much: requests and nanoseconds. */
  private record Remembered(long at, double requests, double time) {}

  private void add(Remembered each, int times, long now) {
    requests.add(times * each.requests, each.at, now);
    ended.add(times * each.time, each.at, now);
    running.add(times * each.time, each.at, now);
  }

  /** How many budgets are used up by what was spent before. */
  double remembered(long now) {
    remembered.removeIf(each -> now - each.at >= window);
    double sum = 0;
    double time = 0;
    for (Remembered each : remembered) {
      sum += each.requests;
      time += each.time;
    }
    return Math.max(sum / requestLimit, time / timeLimit);
  }

  /**
   * Whether nothing but what was spent before leaves no room. That may be wrong: clocks differ, and
   * are set back. So requests may go on one by one, until a throttle confirms it, or so many were
   * let in that it must be wrong, and is forgotten.
   */
  boolean mayDoubtMemory(double budgets, long now) {
    if (confirmed || remembered.isEmpty()) {
      return false;
    }
    double before = remembered(now);
    double level = level(now);
    if (before == 0 || level - before >= budgets) {
      return false;
    }
    edge = Math.min(edge, level);
    if (level - edge > LET_IN * budgets) {
      remembered.forEach(each -> add(each, -1, now));
      remembered.clear();
    }
    return true;
  }

  /** A throttle came: what was spent before counts. */
  void confirmMemory() {
    confirmed = true;
  }

  /** What still counts, for whoever comes next; what is running counts as spent now. */
  List<QuotaProfile.Spent> spent(long now) {
    book(now);
    double[] sent = requests.byAge(CELLS_EACH, now);
    double[] time = ended.byAge(CELLS_EACH, now);
    time[0] += Math.max(0, running.sum(now) - ended.sum(now));
    List<QuotaProfile.Spent> spent = new ArrayList<>();
    for (int i = 0; i < sent.length; i++) {
      if (sent[i] > 0 || time[i] > 0) {
        spent.add(
            new QuotaProfile.Spent(
                Duration.ofNanos(requests.span(i * CELLS_EACH)),
                Math.max(0, sent[i]),
                Duration.ofNanos((long) Math.max(0, time[i]))));
      }
    }
    return spent;
  }

  /** The limit that is nearer, in words. */
  String limit(double budgets, long now) {
    boolean byRequests = isNearerByRequests(now);
    return String.format(
        Locale.ROOT,
        "this account may use %,.0f " + unit(byRequests) + " in %s",
        allowed(byRequests, budgets),
        Figures.time(window));
  }

  /** How much of the nearer limit is spent, in words. */
  String spent(double budgets, long now) {
    boolean byRequests = isNearerByRequests(now);
    return String.format(
        Locale.ROOT,
        "%,.0f of %,.0f " + unit(byRequests) + " were spent in the last %s",
        byRequests ? requests.sum(now) : time(now) / 1e9,
        allowed(byRequests, budgets),
        Figures.time(window));
  }

  private boolean isNearerByRequests(long now) {
    book(now);
    return requests.sum(now) / requestLimit >= time(now) / timeLimit;
  }

  private double time(long now) {
    return Math.max(ended.sum(now), running.sum(now));
  }

  private static String unit(boolean byRequests) {
    return byRequests ? "requests" : "s of execution time";
  }

  private double allowed(boolean byRequests, double budgets) {
    return byRequests ? requestRoom(budgets) : budgets * timeLimit / 1e9;
  }

  int inFlight() {
    return inFlight;
  }
}

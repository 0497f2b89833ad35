package dev.sluice.arena.bout;

import java.util.ArrayList;
import java.util.List;

/** A service that does with every request as a rule says, and remembers what arrived. */
public final class TinyWorld implements World {
  public static final long MILLIS = 1_000_000;
  public static final long SECOND = 1_000 * MILLIS;

  /** How long a request is on its way to the service, and its answer back. */
  public static final long ONE_WAY = 10 * MILLIS;

  private final int users;
  private final Rule rule;
  private final List<Arrival> arrivals = new ArrayList<>();
  private int inService;
  private int most;
  private long drawn;
  private boolean suspended;

  public TinyWorld(int users, Rule rule) {
    this.users = users;
    this.rule = rule;
  }

  /** What arrived when. */
  public record Arrival(int user, int cookie, long at) {}

  /** Admits or refuses the {@code index}-th arrival. */
  @FunctionalInterface
  public interface Rule {
    void decide(Sending sending, int index, long now);

    /** Everything is admitted and takes equally long. */
    static Rule taking(long nanos) {
      return (sending, index, now) -> sending.admit(nanos, 0, null);
    }

    /** The first so many are refused. */
    default Rule afterRefusing(int count, int status, long retryAfter) {
      return (sending, index, now) -> {
        if (index < count) {
          sending.refuse(status, retryAfter, 0);
        } else {
          decide(sending, index, now);
        }
      };
    }
  }

  @Override
  public int users() {
    return users;
  }

  @Override
  public long oneWay() {
    return ONE_WAY;
  }

  @Override
  public Operation operation(long index, long now) {
    drawn++;
    return new Operation("operation " + index, 0);
  }

  @Override
  public void arrive(Sending sending, long now) {
    arrivals.add(new Arrival(sending.user(), sending.cookie(), now));
    rule.decide(sending, arrivals.size() - 1, now);
    if (sending.isAdmitted()) {
      inService++;
      most = Math.max(most, inService);
    }
  }

  @Override
  public void finish(Sending sending, long now) {
    inService--;
  }

  @Override
  public long pressed() {
    return 0;
  }

  @Override
  public boolean suspended() {
    return suspended;
  }

  /** Throws the client out. */
  public void suspend() {
    suspended = true;
  }

  public List<Arrival> arrivals() {
    return arrivals;
  }

  /** When requests were sent, in milliseconds. */
  public List<Long> sentAtMillis() {
    return arrivals.stream().map(arrival -> (arrival.at() - ONE_WAY) / MILLIS).toList();
  }

  /** How many requests it was asked for. */
  public long drawn() {
    return drawn;
  }

  /** How many it works on now. */
  public int inService() {
    return inService;
  }

  /** The most that it worked on at once. */
  public int most() {
    return most;
  }
}

package dev.sluice.bench;

import dev.sluice.arena.bout.Bout;
import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.Operation;
import dev.sluice.arena.bout.Score;
import dev.sluice.arena.bout.Sending;
import dev.sluice.arena.bout.World;
import dev.sluice.arena.contender.Peer;
import dev.sluice.arena.contender.Peers;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Shows how many requests per second of real time the arena plays on one core, per peer, against a
 * world that admits everything and takes 0.2 s for each: the engine's own cost and the peer's.
 *
 * <p>One argument: how many requests a bout has, a million if it is left out; a peer that sends
 * little plays a day of simulated time at most. Figures are medians of five bouts after two that do
 * not count.
 */
public final class ArenaSpeed {
  private static final int USERS = 4;
  private static final int HINT = 20;
  private static final int WARM_UP = 2;
  private static final int ROUNDS = 5;

  private ArenaSpeed() {}

  /** Prints a table in Markdown. */
  public static void main(String[] args) {
    long requests = args.length == 0 ? 1_000_000 : Long.parseLong(args[0]);
    System.out.println("| peer | requests played | per second |");
    System.out.println("|---|---:|---:|");
    for (Peer peer : Peers.all()) {
      System.out.println(row(peer, Job.of("", requests)));
    }
  }

  private static String row(Peer peer, Job job) {
    double[] speeds = new double[ROUNDS];
    long played = 0;
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      long started = System.nanoTime();
      Score score = Bout.play(peer.contender(USERS, HINT, 1), new Trivial(), job);
      double seconds = (System.nanoTime() - started) / 1e9;
      played = score.done() + score.refused();
      if (round >= 0) {
        speeds[round] = played / seconds;
      }
    }
    Arrays.sort(speeds);
    return "| %s | %,d | %,.0f |".formatted(peer.name(), played, speeds[ROUNDS / 2]);
  }

  private static final class Trivial implements World {
    private static final Operation OPERATION = new Operation("any", 0);
    private static final long DURATION = TimeUnit.MILLISECONDS.toNanos(200);

    @Override
    public int users() {
      return USERS;
    }

    @Override
    public long oneWay() {
      return TimeUnit.MILLISECONDS.toNanos(20);
    }

    @Override
    public Operation operation(long index, long now) {
      return OPERATION;
    }

    @Override
    public void arrive(Sending sending, long now) {
      sending.admit(DURATION, 0, null);
    }

    @Override
    public void finish(Sending sending, long now) {}

    @Override
    public long pressed() {
      return 0;
    }
  }
}

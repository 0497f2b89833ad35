package dev.sluice.arena;

import dev.sluice.arena.bout.Bout;
import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.Operation;
import dev.sluice.arena.bout.Score;
import dev.sluice.arena.bout.Sending;
import dev.sluice.arena.bout.Watch;
import dev.sluice.arena.contender.Oracle;
import dev.sluice.arena.world.DataverseScenario;
import dev.sluice.arena.world.DataverseWorld;
import dev.sluice.arena.world.Mix;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best of several {@link Oracle}s: those with so many requests in flight. Bouts that
 * cannot win are not played, or not to their end:
 *
 * <ul>
 *   <li>A job that is not done by the time of the best so far is given up.
 *   <li>Where a number in flight was never reached, higher ones would play the same bout.
 *   <li>Where so few in flight could not win even on an idle service, nor could fewer.
 * </ul>
 *
 * The result is the same as if all had been played.
 */
final class DataverseBest {
  /** From the middle upwards, then downwards. */
  private static final int[] UPWARDS = {8, 11, 16, 24, 36, 52};

  private static final int[] DOWNWARDS = {6, 5, 4, 3, 2};

  private final DataverseScenario scenario;
  private final Job job;
  private final long seed;
  private @Nullable Score best;

  DataverseBest(DataverseScenario scenario, Job job, long seed) {
    this.scenario = scenario;
    this.job = job;
    this.seed = seed;
  }

  Score search() {
    for (int cap : UPWARDS) {
      if (play(cap) < cap) {
        break;
      }
    }
    for (int cap : DOWNWARDS) {
      if (isTooFew(cap)) {
        break;
      }
      int unused = play(cap);
    }
    if (best == null) {
      throw new IllegalStateException("no oracle played in " + scenario.name());
    }
    return best;
  }

  /** Plays with at most so many in flight per account, and returns the most there were. */
  private int play(int cap) {
    Score champion = best;
    DataverseWorld world = new DataverseWorld(scenario.withCookieHonoured(1), seed);
    Job shortened =
        champion == null || job.isEndless()
            ? job
            : new Job(job.name(), job.requests(), Math.min(job.deadline(), champion.nanos()));
    Peak peak = new Peak();
    Score score = Bout.play(new Oracle(world, scenario, cap), world, shortened, peak);
    if (champion == null || isBetter(score, champion)) {
      best = score;
    }
    return peak.most;
  }

  private boolean isBetter(Score score, Score champion) {
    return job.isEndless()
        ? score.done() > champion.done()
        : score.finished() && (!champion.finished() || score.nanos() < champion.nanos());
  }

  /** Whether so few in flight could not win even if every request were the shortest there is. */
  private boolean isTooFew(int cap) {
    Score champion = best;
    if (champion == null) {
      return false;
    }
    double roundTrip =
        2.0 * scenario.oneWay()
            + Math.min(shortest(scenario.before()), shortest(scenario.after()))
                * (1 - scenario.farm().jitter());
    double perNano = (double) scenario.accounts() * cap / roundTrip;
    return job.isEndless()
        ? perNano * job.deadline() + (double) scenario.accounts() * cap < champion.done()
        : champion.finished() && job.requests() / perNano > champion.nanos() + roundTrip;
  }

  private static double shortest(Mix mix) {
    return mix.operations().stream().mapToLong(Operation::base).min().orElse(0);
  }

  /** The most that one account had in flight. */
  private final class Peak implements Watch {
    private final int[] out = new int[scenario.users() * scenario.farm().servers()];
    private int most;

    private int account(Sending sending) {
      int servers = scenario.farm().servers();
      boolean shared = scenario.farm().protection().shared();
      return shared ? sending.user() : sending.user() * servers + sending.cookie();
    }

    @Override
    public void sent(Sending sending, long now) {
      most = Math.max(most, ++out[account(sending)]);
    }

    @Override
    public void answered(Sending sending, long now) {
      out[account(sending)]--;
    }
  }
}

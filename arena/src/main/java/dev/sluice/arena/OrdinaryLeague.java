package dev.sluice.arena;

import dev.sluice.arena.bout.Job;
import dev.sluice.arena.world.OpaqueScenario;
import dev.sluice.arena.world.OrdinaryScenarios;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Providers of which nothing is known, and at which things go wrong for other reasons, too. */
public final class OrdinaryLeague extends OpaqueLeague {
  @Override
  public String name() {
    return "ordinary";
  }

  @Override
  public String title() {
    return "World 3: ordinary providers";
  }

  @Override
  public String about() {
    return "Providers as in World 2, at which other things go wrong, too: up to 5 % of answers are"
        + " 500, 502, 504, resets, or do not come for 30 s; up to 5 % of objects always answer 500;"
        + " some are maintained for 1 to 5 minutes, in which everything is 503; a few answers come"
        + " 20 s late. An object that always fails is dealt with when its client gives it up; any"
        + " other request that is given up joins the queue again. Some providers have a day's"
        + " quota, requests that cost more than others, or two routes with limits of their own:"
        + " there nobody knows what is possible, and clients are only watched for suspension and"
        + " silence.";
  }

  @Override
  public String oracle() {
    return super.oracle()
        + " It meets the same errors and maintenance, which it knows of beforehand, and sends an"
        + " object that always fails once.";
  }

  @Override
  public List<OpaqueScenario> named() {
    return OrdinaryScenarios.named();
  }

  @Override
  public OpaqueScenario random(long number) {
    return OrdinaryScenarios.random(number);
  }

  @Override
  public boolean plays(Size size) {
    return size.isHour() || size.isRequests();
  }

  @Override
  public Job job(OpaqueScenario scenario, Size size) {
    if (size.isHour()) {
      return Job.HOUR;
    }
    long requests = (long) size.amount();
    return scenario.isRated()
        ? Job.of(size.label(), requests)
        : new Job(size.label(), requests, TimeUnit.DAYS.toNanos(1));
  }

  @Override
  public List<Goal> goals() {
    double price = 0.005;
    return List.of(
        Goals.reach("an hour", LEARNED, Size.HOUR, 0.90, price, true),
        Goals.reach("20,000 requests", LEARNED, new Size(20_000), 0.88, price, true),
        Goals.reach("2,000 requests", LEARNED, new Size(2_000), 0.80, price, true),
        Goals.reach("200 requests", LEARNED, new Size(200), 0.60, 0.02, true),
        Goals.unbeaten(LEARNED, OURS),
        Goals.steady("where nobody knows what is possible", LEARNED));
  }
}

package dev.sluice.control.quota;

import dev.sluice.control.policy.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What is left to do, of one job or of several at once, such as loads into two tables. Each job has
 * its own number of requests and its own kind of operation, so that many cheap requests and a few
 * expensive ones are planned as what they are.
 *
 * <p>A job is over when others have started {@value #OVER} requests since its last one: nobody says
 * that a job was cancelled. A request that names no job and no number, such as a query, says
 * nothing about jobs that are named. Single-threaded.
 */
final class Jobs {
  /** So many requests of others since its last one, and a job is over. */
  private static final int OVER = 64;

  /** So many requests, all accounts' together, show which share of a job falls to this one. */
  static final int ENOUGH = 20;

  private final List<Job> jobs = new ArrayList<>();
  private long starts;
  private double left = Double.NaN;
  private double done;

  private static final class Job {
    private final @Nullable Object identity;
    private String kind = "";
    private double left = Double.NaN; // requests that are not done; NaN if unknown
    private long lastStart;

    Job(@Nullable Object identity) {
      this.identity = identity;
    }
  }

  /** A request starts. What is left of its job includes what falls to other accounts. */
  void started(Work work) {
    starts++;
    boolean tells = work.job() != null || work.left().isPresent();
    if (tells) {
      update(job(work.job()), work);
    }
    double sum = 0;
    for (int i = jobs.size() - 1; i >= 0; i--) {
      Job job = jobs.get(i);
      if (starts - job.lastStart > OVER || (!tells && job.identity == null)) {
        Job unused = jobs.remove(i);
      } else {
        sum += job.left;
      }
    }
    left = jobs.isEmpty() ? Double.NaN : sum;
  }

  @SuppressWarnings("ReferenceEquality") // jobs are told apart by identity
  private Job job(@Nullable Object identity) {
    for (Job job : jobs) {
      if (job.identity == identity) {
        return job;
      }
    }
    Job added = new Job(identity);
    jobs.add(added);
    return added;
  }

  private void update(Job job, Work work) {
    OptionalLong requests = work.left();
    double now = requests.isPresent() ? (double) requests.getAsLong() : Double.NaN;
    double since = job.left - now;
    if (since >= 0 && (since <= ENOUGH || since <= 0.1 * now)) { // otherwise batches have grown
      done += since;
    }
    job.left = now;
    job.kind = work.operation();
    job.lastStart = starts;
  }

  /** Requests of all jobs that are not done; NaN if there is no end, or nobody knows it. */
  double left() {
    return left;
  }

  /** Requests of all jobs that are done, those of other accounts included. */
  double done() {
    return done;
  }

  /** Nanoseconds that one of the requests to come takes on average, by what they do. */
  double mean(LatencyModel latency) {
    double cost = 0;
    double requests = 0;
    for (Job job : jobs) {
      if (job.identity == null) {
        return latency.mean(); // of any kinds: those that come will be like those that were
      }
      double share = Double.isNaN(left) ? 1 : job.left; // without an end they take turns
      cost += share * latency.mean(job.kind);
      requests += share;
    }
    return jobs.isEmpty() ? latency.mean() : cost / requests;
  }
}

package dev.sluice.runs.pressure;

import dev.sluice.control.quota.QuotaProfile;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets what was learned of the users of an environment outlive its process: written every {@link
 * #EVERY} and at the end, in the rows of their lanes. A store that cannot take it is no reason to
 * stop: then the next one begins as if nothing was known.
 */
public final class QuotaMemory implements AutoCloseable {
  /** Who is killed loses what was learned since. */
  static final Duration EVERY = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(QuotaMemory.class);

  private final Store store;
  private final Time time;
  private final String environment;
  private final Supplier<Map<String, QuotaProfile>> learned;
  private final Time.Bell stop;
  private final Time.Task task;

  private QuotaMemory(
      Store store, Time time, String environment, Supplier<Map<String, QuotaProfile>> learned) {
    this.store = store;
    this.time = time;
    this.environment = environment;
    this.learned = learned;
    this.stop = time.bell();
    this.task = time.start("what is learned of " + environment, this::run);
  }

  /** What is known of these users, by name; as old as it is now. */
  public static Map<String, QuotaProfile> of(
      Store store, String environment, Collection<String> users) {
    return store.read(
        transaction -> {
          Map<String, QuotaProfile> found = new HashMap<>();
          for (String user : users) {
            QuotaProfile profile = Lanes.quota(transaction, lane(environment, user));
            if (!profile.equals(QuotaProfile.NONE)) {
              found.put(user, profile);
            }
          }
          return found;
        });
  }

  /**
   * Begins to write down what is learned of the users of an environment.
   *
   * @param learned what that is, by the names of the users
   */
  public static QuotaMemory keep(
      Store store, Time time, String environment, Supplier<Map<String, QuotaProfile>> learned) {
    return new QuotaMemory(store, time, environment, learned);
  }

  private static String lane(String environment, String user) {
    return environment + " " + user;
  }

  private void run() {
    try {
      while (!stop.await(time.deadline(EVERY))) {
        save();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody interrupts this task but a process that ends
    }
  }

  private void save() {
    Map<String, QuotaProfile> latest = learned.get();
    try {
      store.write(
          transaction -> {
            latest.forEach(
                (user, profile) ->
                    Lanes.learned(transaction, environment, lane(environment, user), profile));
            return null;
          });
    } catch (StoreException e) {
      log.info("what was learned of {} is not kept: {}", environment, e.getMessage());
    }
  }

  /** Writes once more, and ends. */
  @Override
  public void close() {
    stop.ring();
    try {
      task.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    save();
  }
}

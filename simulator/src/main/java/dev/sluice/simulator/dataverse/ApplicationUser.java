package dev.sluice.simulator.dataverse;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Somebody who may sign in: an application with its user in the environment. Made up, and known to
 * the simulated environment only.
 *
 * @param name what people call it
 * @param clientId the application's id
 * @param secret what it signs in with
 * @param userId its id as a user of the environment
 */
public record ApplicationUser(String name, UUID clientId, String secret, UUID userId) {

  /** So many users named app1, app2 and so on: the same ones for the same seed. */
  public static List<ApplicationUser> several(int count, long seed) {
    if (count < 1 || count > 1_000) {
      throw new IllegalArgumentException(
          "users is " + count + ", but must be 1 to 1,000 (application users that may sign in)");
    }
    SplittableRandom random = new SplittableRandom(seed);
    List<ApplicationUser> users = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      users.add(
          new ApplicationUser(
              "app" + i,
              Chance.uuid(random),
              "simulated~" + Long.toUnsignedString(random.nextLong(), 36),
              Chance.uuid(random)));
    }
    return List.copyOf(users);
  }
}

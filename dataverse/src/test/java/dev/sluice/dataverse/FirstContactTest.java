package dev.sluice.dataverse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.service.FaultException;
import dev.sluice.dataverse.service.Service;
import dev.sluice.dataverse.signin.Credential;
import dev.sluice.gate.time.Time;
import dev.sluice.simulator.dataverse.ApplicationUser;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** All users of a pool sign in and ask who they are before there is a gate. */
class FirstContactTest {
  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final int REQUESTS = 5;

  /** Five requests in five minutes, and refusals that tell this wait. */
  private static EnvironmentOptions strict(Duration told) {
    return Worlds.FREE.withFarm(
        FarmOptions.DEFAULTS
            .withServers(1)
            .withProtection(
                ProtectionOptions.DOCUMENTED.withRequests(REQUESTS).withWaits(told, told)));
  }

  /** Sends as a user whatever the limits allow. */
  private static void spend(Worlds.World world, ApplicationUser user) throws Exception {
    Service service = world.service();
    for (int i = 0; i < REQUESTS; i++) {
      assertThat(
              service
                  .send(user.name(), service.get(service.address("WhoAmI")))
                  .answer()
                  .succeeded())
          .isTrue();
    }
  }

  private static DataverseOptions options(List<Identity> identities) {
    return DataverseOptions.of(Worlds.ADDRESS, identities).withAuthority(Worlds.ADDRESS);
  }

  private static Identity identity(ApplicationUser user) {
    return new Identity(user.name(), Worlds.credential(user));
  }

  private static List<Identity> everybody() {
    return Worlds.USERS.stream().map(FirstContactTest::identity).toList();
  }

  /** A user about whom nothing is right but the name. */
  private static Identity stranger(ApplicationUser user) {
    return new Identity(
        user.name(),
        new Credential.ClientSecret(
            EnvironmentOptions.TENANT.toString(), user.clientId().toString(), "wrong"));
  }

  @Test
  void users_that_are_throttled_at_the_start_wait_side_by_side() {
    Worlds.in(
        strict(WINDOW),
        world -> {
          for (ApplicationUser user : Worlds.USERS) {
            spend(world, user);
          }
          long begun = world.time().nanos();
          try (DataverseClient client =
              DataverseClient.connect(
                  options(everybody()), world.transport(), world.time(), text -> {})) {
            assertThat(client.identities()).hasSize(Worlds.USERS.size());
          }
          assertThat(Duration.ofNanos(world.time().nanos() - begun))
              .isBetween(WINDOW, WINDOW.plusMinutes(1));
        });
  }

  @Test
  void whoever_stays_throttled_is_left_out_as_long_as_another_works() {
    Worlds.in(
        strict(Duration.ofSeconds(10)), // of a window of five minutes: retries run out
        world -> {
          spend(world, Worlds.USERS.get(0));
          try (DataverseClient client =
              DataverseClient.connect(
                  options(everybody()), world.transport(), world.time(), text -> {})) {
            assertThat(client.identities())
                .containsOnlyKeys(Worlds.USERS.get(1).name(), Worlds.USERS.get(2).name());
          }
        });
  }

  @Test
  void whoever_cannot_sign_in_is_left_out_and_the_others_keep_their_order() {
    Worlds.free(
        world -> {
          List<Identity> identities =
              List.of(
                  identity(Worlds.USERS.get(2)),
                  stranger(Worlds.USERS.get(1)),
                  identity(Worlds.USERS.get(0)));
          try (DataverseClient client =
              DataverseClient.connect(
                  options(identities), world.transport(), world.time(), text -> {})) {
            assertThat(client.gate().statistics().lanes())
                .extracting(lane -> lane.name())
                .containsExactly(Worlds.USERS.get(2).name(), Worlds.USERS.get(0).name());
          }
        });
  }

  @Test
  void if_nobody_can_sign_in_the_reason_is_told() {
    Worlds.free(
        world ->
            assertThatThrownBy(
                    () ->
                        DataverseClient.connect(
                            options(Worlds.USERS.stream().map(FirstContactTest::stranger).toList()),
                            world.transport(),
                            world.time(),
                            text -> {}))
                .isInstanceOfSatisfying(
                    FaultException.class,
                    e -> assertThat(e.fault()).isInstanceOf(Fault.Authentication.class)));
  }

  @Test
  void who_is_interrupted_leaves_nobody_waiting() {
    Worlds.free(
        world -> {
          Time time = world.time();
          AtomicInteger under = new AtomicInteger();
          Time.Task connecting =
              time.start(
                  "connecting",
                  () ->
                      assertThatThrownBy(
                              () ->
                                  DataverseClient.connect(
                                      options(everybody()),
                                      request -> {
                                        under.incrementAndGet();
                                        try {
                                          time.sleep(Duration.ofDays(1));
                                        } finally {
                                          under.decrementAndGet();
                                        }
                                        return world.transport().send(request);
                                      },
                                      time,
                                      text -> {}))
                          .isInstanceOf(InterruptedException.class));
          time.sleep(Duration.ofSeconds(1));
          assertThat(under).hasValue(Worlds.USERS.size());
          connecting.interrupt();
          connecting.join();
          time.sleep(Duration.ofSeconds(1));
          assertThat(under).hasValue(0);
        });
  }
}

package dev.sluice.gate.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Simulated time finds mistakes of ordering by trying seeds, and shows them again from the seed.
 */
class SeedSearchTest {

  /** An account that two tellers pay into. Reading and writing back are two steps: the mistake. */
  private static final class Account {
    private int balance;

    void deposit(Time time, int amount) throws InterruptedException {
      int before = balance;
      time.sleep(Duration.ofMillis(1)); // whatever a bank does in between
      balance = before + amount;
    }

    void depositCorrectly(Time time, int amount) throws InterruptedException {
      time.sleep(Duration.ofMillis(1));
      balance += amount;
    }
  }

  private interface Deposit {
    void into(Account account, Time time) throws InterruptedException;
  }

  /** Each teller pays in once a second or so: their deposits overlap in few orders only. */
  private static void payIn(SimulatedTime time, Deposit deposit) throws InterruptedException {
    Account account = new Account();
    Runnable teller =
        () -> {
          try {
            for (int i = 0; i < 5; i++) {
              time.sleep(Duration.ofMillis(time.random().nextInt(1_000)));
              deposit.into(account, time);
            }
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    Time.Task one = time.start("one", teller);
    Time.Task two = time.start("two", teller);
    one.join();
    two.join();
    assertThat(account.balance).isEqualTo(10);
  }

  @Test
  void a_lost_update_is_found_by_trying_seeds_and_replayed_from_its_seed() {
    Simulation.Body body = time -> payIn(time, (account, now) -> account.deposit(now, 1));
    SimulationFailedException found =
        LongStream.range(0, 10_000)
            .mapToObj(seed -> failure(SimulatedTime.with(seed), body))
            .filter(failed -> failed != null)
            .findFirst()
            .orElseThrow();
    assertThat(found).hasCauseInstanceOf(AssertionError.class);
    assertThat(found).hasMessageContaining("failed with seed " + found.seed());
    assertThat(failure(SimulatedTime.with(0), body))
        .as("the first seed does not show it: it has to be searched for")
        .isNull();

    SimulationFailedException again = failure(SimulatedTime.with(found.seed()), body);
    assertThat(again).hasMessage(found.getMessage());
    assertThat(again.trace().hash()).isEqualTo(found.trace().hash());
  }

  @Test
  void the_mended_account_survives_the_same_search() {
    for (long seed = 0; seed < 1_000; seed++) {
      SimulatedTime.run(
          seed, time -> payIn(time, (account, now) -> account.depositCorrectly(now, 1)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void a_check_that_is_stale_when_it_is_acted_upon_is_found_at_one_instant(int buyers) {
    // Nobody sleeps a while here: the order of runnable tasks alone decides.
    SimulationFailedException found =
        LongStream.range(0, 1_000)
            .mapToObj(seed -> failure(SimulatedTime.with(seed), time -> buyLast(time, buyers)))
            .filter(failed -> failed != null)
            .findFirst()
            .orElseThrow();
    assertThat(found).hasMessageContaining("sold");
  }

  private static void buyLast(SimulatedTime time, int buyers) throws InterruptedException {
    int[] stock = {1};
    for (int i = 0; i < buyers; i++) {
      time.start(
          "buyer " + i,
          () -> {
            if (stock[0] > 0) {
              SimulatedTimeTest.sleep(time, Duration.ZERO);
              stock[0]--;
            }
          });
    }
    time.sleep(Duration.ofSeconds(1));
    assertThat(stock[0]).as("more was sold than there was").isNotNegative();
  }

  private static SimulationFailedException failure(Simulation simulation, Simulation.Body body) {
    return catchThrowableOfType(SimulationFailedException.class, () -> simulation.run(body));
  }
}

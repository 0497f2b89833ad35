package dev.sluice.runs.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.TestDatabase;
import dev.sluice.runs.store.TestDatabase.Database;
import dev.sluice.runs.store.Transaction;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Two processes, each with its own way into the database, and a lease that changes hands. */
@ParameterizedClass
@EnumSource(mode = Mode.EXCLUDE, names = "SQLITE_IN_MEMORY")
class TakeoverTest {
  /** Long enough for the other process to do what must not happen, if it could happen. */
  private static final Duration A_WHILE = Duration.ofMillis(200);

  private final TestDatabase database;

  TakeoverTest(TestDatabase database) {
    this.database = database;
  }

  private record World(SimulatedTime time, Store ours, Store theirs) {
    Lease expired() {
      Time still = new StandingTime(time);
      Lease lease =
          ((Claim.Taken) new Leases(ours, still, holder(1), dead -> false).take("a")).lease();
      time.jumpWallClock(Leases.TERM.plusSeconds(1));
      return lease;
    }

    /** In real time, since it really happens at the same time; the store's clock is simulated. */
    Claim takenByTheOther() {
      Time still = new StandingTime(Time.real());
      return new Leases(theirs, still, holder(2), dead -> false).take("a");
    }

    private static Holder holder(int pid) {
      return new Holder("mars", pid, "1", "mars");
    }
  }

  private interface Story {
    void tell(World world) throws Exception;
  }

  private void simulate(Story story) {
    var unused =
        SimulatedTime.run(
            1,
            time -> {
              try (Database fresh = database.create();
                  Store ours = fresh.open(time);
                  Store theirs = fresh.open(time)) {
                story.tell(new World(time, ours, theirs));
              }
            });
  }

  private static int addHorizon(Transaction transaction) {
    return transaction.update(
        "insert into horizon (collection, stream, split, place) values ('c', 's', '', '7')");
  }

  @Test
  void an_old_number_is_refused_with_all_that_its_transaction_has_written() {
    simulate(
        world -> {
          Lease old = world.expired();
          assertThat(world.takenByTheOther()).isInstanceOf(Claim.Taken.class);
          assertThatThrownBy(
                  () ->
                      world.ours.write(
                          transaction -> {
                            int added = addHorizon(transaction);
                            old.guard(transaction);
                            return added;
                          }))
              .isInstanceOf(LeaseLostException.class);
          assertThat(
                  world.theirs.<Boolean>read(
                      transaction ->
                          transaction.row("select 1 from horizon", row -> 1).isPresent()))
              .isFalse();
        });
  }

  @Test
  void nobody_takes_over_between_the_guard_of_a_transaction_and_its_commit() {
    simulate(
        world -> {
          Lease ours = world.expired();
          AtomicReference<Claim> theirs = new AtomicReference<>();
          Time.Task[] other = new Time.Task[1];
          world.ours.write(
              transaction -> {
                ours.guard(transaction); // and so it is renewed
                other[0] =
                    Time.real()
                        .start("the other process", () -> theirs.set(world.takenByTheOther()));
                assertThat(hasEnded(other[0])).isFalse();
                return addHorizon(transaction);
              });
          other[0].join();
          assertThat(theirs.get()).isInstanceOf(Claim.Held.class);
        });
  }

  private static boolean hasEnded(Time.Task task) {
    try {
      return task.join(Time.real().deadline(A_WHILE));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}

package dev.sluice.runs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * What stores promise that outlive their process and are shared with others. Each store that is
 * opened here is another process.
 */
abstract class DurableStoreContract extends StoreContract {
  /** Long enough for somebody to do what must not happen, if it could happen. */
  private static final Duration A_WHILE = Duration.ofMillis(100);

  DurableStoreContract(TestDatabase kind) {
    super(kind);
  }

  @Test
  void what_was_written_is_there_when_the_store_is_opened_again() {
    try (Store store = open()) {
      addLease(store, "a");
    }
    try (Store store = open()) {
      assertThat(leases(store)).isEqualTo(1);
    }
  }

  @Test
  void a_commit_lets_other_processes_write_at_once() {
    try (Store one = open();
        Store two = open()) {
      addLease(one, "a");
      addLease(two, "b");
      addLease(one, "c");
      assertThat(leases(two)).isEqualTo(3);
    }
  }

  @Test
  void processes_that_find_no_tables_at_the_same_time_make_them_once() throws InterruptedException {
    inParallel(
        4,
        () -> {
          try (Store store = open()) {
            assertThat(leases(store)).isZero();
          }
        });
  }

  @Test
  void processes_that_read_and_then_write_lose_no_change_of_each_other()
      throws InterruptedException {
    try (Store store = open()) {
      addLease(store, "a");
      inParallel(
          3,
          () -> {
            try (Store other = open()) {
              for (int i = 0; i < 20; i++) {
                count(other);
              }
            }
          });
      assertThat(counted(store)).isEqualTo(61);
    }
  }

  @Test
  void whoever_reads_sees_one_moment_and_keeps_nobody_from_writing() {
    try (Store one = open();
        Store two = open()) {
      addLease(one, "a");
      one.read(
          transaction -> {
            assertThat(number(transaction)).isEqualTo(1);
            count(two);
            assertThat(number(transaction)).isEqualTo(1);
            return null;
          });
      assertThat(counted(one)).isEqualTo(2);
    }
  }

  private static long number(Transaction transaction) {
    return transaction.row("select fence from lease", row -> row.number(1)).orElseThrow();
  }

  @Test
  void a_process_that_is_not_through_is_waited_for_even_by_a_task_that_is_interrupted()
      throws InterruptedException {
    try (Store one = open();
        Store two = open()) {
      addLease(one, "a");
      AtomicBoolean kept = new AtomicBoolean();
      Time.Task[] waiting = new Time.Task[1];
      one.write(
          transaction -> {
            long before = number(transaction);
            waiting[0] =
                Time.real()
                    .start(
                        "the other process",
                        () -> {
                          count(two);
                          kept.set(Thread.interrupted());
                        });
            assertThat(hasEnded(waiting[0])).isFalse();
            waiting[0].interrupt();
            assertThat(hasEnded(waiting[0])).isFalse();
            return transaction.update("update lease set fence = ?", before + 1);
          });
      waiting[0].join();
      assertThat(kept).isTrue();
      assertThat(counted(one)).isEqualTo(3);
    }
  }

  private static boolean hasEnded(Time.Task task) {
    try {
      return task.join(Time.real().deadline(A_WHILE));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}

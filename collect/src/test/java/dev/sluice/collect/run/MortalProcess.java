package dev.sluice.collect.run;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.lease.LeaseLostException;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.Transaction;
import dev.sluice.runs.store.Work;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One process: whatever it does to the world (its disk, its wire, its sink) and all of its waits go
 * through here. At one of its steps, a write to the store or a request, it meets its fate: it is
 * killed, or stands still for a while and wakes up. Of a process that was killed, nothing goes on.
 */
final class MortalProcess {
  /** What happens at the step. */
  enum Fate {
    /** Killed; the step is not made. */
    KILLED_BEFORE,
    /** Killed amid a transaction, or while an answer is awaited. */
    KILLED_WITHIN,
    /** Killed; the step is made, and the process does not hear of it. */
    KILLED_AFTER,
    /** Nothing of the process moves until long after its leases are lost. */
    STANDSTILL
  }

  /** No step is its last. */
  static final long IMMORTAL = Long.MAX_VALUE;

  /** Longer than a lease. */
  static final Duration STANDSTILL = Duration.ofMinutes(3);

  /** So long takes a write at most, in nanoseconds: others may come in between. */
  private static final int LONGEST_WRITE = 4_000_000;

  private final Store disk;
  private final Transport wire;
  private final Consumer<WebAnswer> heard;
  private final Time world;
  private final Fate fate;
  private final long fatal;
  private final List<Time.Task> tasks = new ArrayList<>();
  private long steps;
  private boolean dead;
  private long standsUntil;

  /** Thrown by all that a killed process tries; an Error, because code recovers from others. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed() {
      super("the process was killed", null, false, false);
    }
  }

  /**
   * A process that begins.
   *
   * @param fatal at which step it meets its fate, counted from 0
   */
  MortalProcess(Store disk, Transport wire, Time world, Fate fate, long fatal) {
    this(disk, wire, answer -> {}, world, fate, fatal);
  }

  /**
   * The same.
   *
   * @param heard told of each answer that has come to it
   */
  MortalProcess(
      Store disk, Transport wire, Consumer<WebAnswer> heard, Time world, Fate fate, long fatal) {
    this.heard = heard;
    this.disk = disk;
    this.wire = wire;
    this.world = world;
    this.fate = fate;
    this.fatal = fatal;
    this.standsUntil = world.nanos();
  }

  /** What a process does. */
  interface Life {
    void live() throws Exception;
  }

  /** Lives until it ends or is killed. */
  void run(Life life) throws Exception {
    try {
      life.live();
    } catch (LeaseLostException e) {
      return; // it stood still before its run had begun
    } catch (Exception e) { // what becomes of it when everything around it fails is no matter
      if (!dead) {
        throw e;
      }
    } catch (Killed e) {
      return;
    }
  }

  /** One run of a collection, as a part of its life. */
  CollectionResult collect(CollectionRequest request, Sink sink) throws InterruptedException {
    try (ProviderGates gates = new ProviderGates(store(), time())) {
      return new Collector(request, sink(sink), store(), gates, transport(), time()).run();
    }
  }

  /** Ends it from outside, whatever it is at. */
  void kill() {
    Killed unused = die();
  }

  boolean isDead() {
    return dead;
  }

  /** How many steps it has made. */
  long steps() {
    return steps;
  }

  private boolean isFatal() {
    return steps++ == fatal;
  }

  private Killed die() {
    dead = true;
    tasks.forEach(Time.Task::interrupt);
    return new Killed();
  }

  private void refuseIfDead() {
    if (dead) {
      throw new Killed();
    }
  }

  /** Waits, however often it is interrupted; the interrupt stays. */
  private void pauseUntil(long end) {
    boolean interrupted = false;
    while (end - world.nanos() > 0 && !dead) {
      try {
        world.sleepUntil(end);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    refuseIfDead();
  }

  /** Nothing goes on while it stands still. */
  private void goOn() {
    refuseIfDead();
    pauseUntil(standsUntil);
  }

  Store store() {
    return new Store() {
      @Override
      public <T extends @Nullable Object> T write(Work<T> work) {
        pauseUntil(world.nanos() + world.random().nextInt(LONGEST_WRITE));
        goOn();
        if (isFatal()) {
          switch (fate) {
            case KILLED_BEFORE -> throw die();
            case KILLED_WITHIN ->
                disk.write(
                    transaction -> {
                      T unused = work.in(transaction);
                      throw die();
                    });
            case KILLED_AFTER -> {
              T unused = disk.write(work);
              throw die();
            }
            case STANDSTILL -> standStill();
          }
        }
        return disk.write(work);
      }

      @Override
      public <T extends @Nullable Object> T read(Work<T> work) {
        goOn();
        return disk.read(work);
      }

      @Override
      public void close() {}
    };
  }

  private void standStill() {
    standsUntil = world.deadline(STANDSTILL);
    goOn();
  }

  Transport transport() {
    return this::send;
  }

  private WebAnswer send(WebRequest request) throws IOException, InterruptedException {
    refuseIfDead(); // and no more: between looking for a hold and sending nobody can help it
    if (isFatal()) {
      return switch (fate) {
        case KILLED_BEFORE -> throw die();
        case KILLED_WITHIN, KILLED_AFTER -> {
          WebAnswer unused = wire.send(request);
          throw die();
        }
        case STANDSTILL -> {
          // While it awaits the answer.
          WebAnswer late = wire.send(request);
          standStill();
          heard.accept(late);
          yield late;
        }
      };
    }
    WebAnswer answer;
    try {
      answer = wire.send(request);
    } finally {
      goOn();
    }
    heard.accept(answer);
    return answer;
  }

  /** A sink that this process writes to. */
  Sink sink(Sink sink) {
    return new Sink() {
      @Override
      public SliceWriter open(
          Track track, List<StreamShape> streams, long fence, Optional<String> mark)
          throws IOException {
        goOn();
        return new MortalWriter(sink.open(track, streams, fence, mark));
      }

      @Override
      public String description() {
        return sink.description();
      }

      @Override
      public void close() {}
    };
  }

  private final class MortalWriter implements SliceWriter {
    private final SliceWriter writer;

    MortalWriter(SliceWriter writer) {
      this.writer = writer;
    }

    @Override
    public Optional<SliceEnd> unacknowledged() {
      goOn();
      return writer.unacknowledged();
    }

    @Override
    public String noted() {
      goOn();
      return writer.noted();
    }

    @Override
    public void note(String facts) {
      goOn();
      writer.note(facts);
    }

    @Override
    public void write(String stream, CollectedRecord record)
        throws IOException, InterruptedException {
      goOn();
      writer.write(stream, record);
    }

    @Override
    public String prepare(SliceEnd end) throws IOException, InterruptedException {
      goOn();
      return writer.prepare(end);
    }

    @Override
    public void commit(Transaction transaction) {
      refuseIfDead();
      writer.commit(transaction);
    }

    @Override
    public void acknowledge() throws IOException {
      goOn();
      writer.acknowledge();
    }

    @Override
    public void giveUp() throws IOException {
      goOn();
      writer.giveUp();
    }

    @Override
    public void close() throws IOException {
      goOn();
      writer.close();
    }
  }

  /** Time as it passes for this process. */
  Time time() {
    return new Time() {
      @Override
      public long nanos() {
        return world.nanos();
      }

      @Override
      public Instant instant() {
        return world.instant();
      }

      @Override
      public RandomGenerator random() {
        return world.random();
      }

      @Override
      public void sleepUntil(long deadline) throws InterruptedException {
        goOn();
        try {
          world.sleepUntil(deadline);
        } finally {
          goOn();
        }
      }

      @Override
      public Bell bell() {
        Bell bell = world.bell();
        return new Bell() {
          @Override
          public boolean await(long deadline) throws InterruptedException {
            goOn();
            try {
              return bell.await(deadline);
            } finally {
              goOn();
            }
          }

          @Override
          public void ring() {
            bell.ring();
          }
        };
      }

      @Override
      public Task start(String name, Runnable body) {
        refuseIfDead();
        Task task = world.start(name, () -> live(body));
        tasks.add(task);
        return new Task() {
          @Override
          public String name() {
            return name;
          }

          @Override
          public boolean join(long deadline) throws InterruptedException {
            try {
              return task.join(deadline);
            } finally {
              goOn();
            }
          }

          @Override
          public void interrupt() {
            task.interrupt();
          }
        };
      }
    };
  }

  private void live(Runnable body) {
    try {
      goOn();
      body.run();
    } catch (Killed e) {
      return; // whoever joins it finds out
    }
  }
}

package dev.sluice.collect.sink.jsonlines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.collect.sink.jsonlines.SimulatedDisk.Killed;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Whatever happens to the process or to the power, readers find the records of the committed slices
 * in the order in which they were written, each once, and no others.
 */
class JsonLinesCrashTest {
  private static final Track TRACK = new Track("github", "issues", "", Mode.STEADY);
  private static final List<String> STREAMS = List.of("issues", "comments");
  private static final List<StreamShape> SHAPES =
      STREAMS.stream().map(name -> new StreamShape(name, List.of("n"), Optional.empty())).toList();

  /** The disk, the bookmark, and what was committed with it. */
  private static final class World {
    final SplittableRandom random;
    final SimulatedDisk disk;
    final Map<String, List<Long>> committed = new TreeMap<>();
    Optional<String> mark = Optional.empty();
    long fence;
    long records;

    World(long seed) {
      random = new SplittableRandom(seed);
      disk = new SimulatedDisk(random);
      STREAMS.forEach(stream -> committed.put(stream, new ArrayList<>()));
    }

    Run begin(SimulatedDisk.Machine process) throws IOException {
      fence++;
      JsonLinesSink sink = new JsonLinesSink(Path.of("out"), 40, process);
      return new Run(this, fence, sink.open(TRACK, SHAPES, fence, mark));
    }

    Map<String, List<Long>> readable() {
      Map<String, List<Long>> found = new TreeMap<>();
      STREAMS.forEach(stream -> found.put(stream, new ArrayList<>()));
      disk.readable()
          .forEach(
              (name, text) -> {
                List<Long> of =
                    found.getOrDefault(
                        name.startsWith("issues") ? "issues" : "comments", List.of());
                assertThat(text).as(name).endsWith("\n");
                text.lines().forEach(line -> of.add(Long.parseLong(line.replaceAll("[^0-9]", ""))));
              });
      return found;
    }

    void checkAllIsReadable() {
      assertThat(readable()).isEqualTo(committed);
    }

    void checkNothingElseIsReadable() {
      readable()
          .forEach(
              (stream, found) ->
                  assertThat(found).doesNotHaveDuplicates().isSubsetOf(committed.get(stream)));
    }
  }

  /** One writer, and what it has written of a slice. */
  private static final class Run {
    final World world;
    final long fence;
    final SliceWriter writer;
    final Map<String, List<Long>> slice = new TreeMap<>();

    Run(World world, long fence, SliceWriter writer) {
      this.world = world;
      this.fence = fence;
      this.writer = writer;
    }

    void write(int count) throws IOException, InterruptedException {
      for (int i = 0; i < count; i++) {
        String stream = STREAMS.get(world.random.nextInt(STREAMS.size()));
        long n = world.records++;
        writer.write(
            stream,
            new CollectedRecord(
                Long.toString(n), "", JsonNodeFactory.instance.objectNode().put("n", n)));
        slice.computeIfAbsent(stream, name -> new ArrayList<>()).add(n);
      }
    }

    /** Whether the store took it: not from an old lease. */
    boolean commit() throws IOException, InterruptedException {
      String mark = writer.prepare(SliceEnd.at("x", true));
      if (fence < world.fence) {
        return false;
      }
      world.mark = Optional.of(mark);
      slice.forEach(
          (stream, records) -> world.committed.getOrDefault(stream, List.of()).addAll(records));
      slice.clear();
      return true;
    }

    void giveUp() throws IOException {
      writer.giveUp();
      slice.clear();
    }
  }

  /** Two slices with a given-up one between them, enough for a rotation, and a close. */
  private static void work(World world, SimulatedDisk.Machine process)
      throws IOException, InterruptedException {
    Run run = world.begin(process);
    run.write(6);
    assertThat(run.commit()).isTrue();
    run.writer.acknowledge();
    run.write(5);
    run.giveUp();
    run.write(7);
    assertThat(run.commit()).isTrue();
    run.writer.acknowledge();
    run.writer.close();
  }

  @Test
  void a_kill_at_any_operation_leaves_each_committed_record_once() throws Exception {
    World calm = new World(0);
    SimulatedDisk.Machine whole = calm.disk.process();
    work(calm, whole);
    for (long operation = 1; operation <= whole.operations(); operation++) {
      for (long seed = 0; seed < 6; seed++) {
        World world = new World(seed);
        work(world, world.disk.process());
        dieAndGoOn(world, operation, seed % 3 == 0);
      }
    }
  }

  private static void dieAndGoOn(World world, long operation, boolean power)
      throws IOException, InterruptedException {
    try {
      work(world, world.disk.killedAt(operation));
    } catch (Killed e) {
      world.checkNothingElseIsReadable();
    }
    if (power) {
      world.disk.failPower();
      world.checkNothingElseIsReadable();
    }
    // And the next one dies while it takes over.
    try {
      Run unused = world.begin(world.disk.killedAt(1 + operation % 9));
    } catch (Killed e) {
      world.checkNothingElseIsReadable();
    }
    Run next = world.begin(world.disk.process());
    world.checkAllIsReadable();
    next.write(3);
    assertThat(next.commit()).isTrue();
    next.writer.acknowledge();
    next.writer.close();
    world.checkAllIsReadable();
    assertThat(world.disk.all()).noneMatch(name -> name.endsWith(".part"));
  }

  @Test
  void an_old_writer_that_wakes_up_during_a_takeover_changes_nothing() throws Exception {
    for (long operation = 1; operation <= 12; operation++) {
      for (long seed = 0; seed < 2; seed++) {
        World world = new World(seed);
        Run old = world.begin(world.disk.process());
        old.write(3);
        assertThat(old.commit()).isTrue();
        old.writer.acknowledge();
        old.write(14_000 * (int) seed); // more than a buffer, or nothing
        SimulatedDisk.Machine taking = world.disk.process();
        taking.meanwhile(operation, () -> wakeAndClose(old));
        Run next = world.begin(taking);
        world.checkAllIsReadable();
        next.write(2);
        assertThat(next.commit()).isTrue();
        next.writer.acknowledge();
        next.writer.close();
        world.checkAllIsReadable();
      }
    }
  }

  private static void wakeAndClose(Run old) {
    try {
      old.write(5);
      old.writer.close();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static LongStream seeds() {
    return LongStream.range(0, 20L * Integer.getInteger("sluice.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void readers_see_what_is_committed_and_nothing_else(long seed) throws Exception {
    World world = new World(seed);
    List<Run> stalled = new ArrayList<>();
    for (int process = 0; process < 12; process++) {
      SimulatedDisk.Machine disk =
          world.random.nextBoolean()
              ? world.disk.killedAt(world.random.nextInt(1, 40))
              : world.disk.process();
      try {
        Run run = world.begin(disk);
        world.checkAllIsReadable();
        if (live(world, run, stalled)) {
          world.checkAllIsReadable();
        } else {
          stalled.add(run);
        }
      } catch (Killed e) {
        if (world.random.nextInt(3) == 0) {
          world.disk.failPower();
          stalled.clear();
        }
      }
      world.checkNothingElseIsReadable();
    }
    Run unused = world.begin(world.disk.process());
    world.checkAllIsReadable();
  }

  /** Whether it closed, and knew of all that it had committed; otherwise it stands still. */
  private static boolean live(World world, Run run, List<Run> stalled)
      throws IOException, InterruptedException {
    while (true) {
      switch (world.random.nextInt(9)) {
        case 0, 1, 2 -> run.write(world.random.nextInt(8));
        case 3, 4 -> {
          assertThat(run.commit()).isTrue();
          switch (world.random.nextInt(6)) {
            case 0 -> {
              return false;
            }
            case 1 -> {
              // As after a store that failed: nobody knows, and the next one looks.
              run.writer.giveUp();
              run.writer.close();
              Run unused = world.begin(world.disk.process());
              return true;
            }
            default -> run.writer.acknowledge();
          }
        }
        case 5 -> run.giveUp();
        case 6 -> {
          for (Run old : stalled) {
            wake(world, old);
          }
        }
        case 7 -> {
          run.writer.close();
          return true;
        }
        default -> {
          if (world.random.nextInt(4) == 0) {
            return false;
          }
        }
      }
      world.checkNothingElseIsReadable();
    }
  }

  /** A writer whose lease is lost does what it was about to do. */
  private static void wake(World world, Run old) throws IOException, InterruptedException {
    try {
      switch (world.random.nextInt(5)) {
        case 0 -> old.write(4);
        case 1 -> assertThat(old.commit()).isFalse();
        case 2 -> old.giveUp();
        case 3 -> old.writer.close();
        default -> {}
      }
    } catch (Killed | IllegalStateException e) {
      // Dead, closed, or waiting for a commit that never comes: it does no harm.
    }
  }
}

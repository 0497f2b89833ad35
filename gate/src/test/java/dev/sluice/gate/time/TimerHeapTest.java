package dev.sluice.gate.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TimerHeapTest {

  static LongStream seeds() {
    return LongStream.range(0, 50 * Integer.getInteger("sluice.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void gives_the_earliest_whatever_is_added_and_removed(long seed) {
    Random random = new Random(seed);
    Scheduler scheduler =
        new Scheduler(
            SimulatedTime.with(seed),
            new Trace(false),
            new StallWatch(Duration.ofSeconds(30), said -> {}));
    TimerHeap heap = new TimerHeap();
    List<SimulatedTask> model = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      int dice = random.nextInt(10);
      if (dice < 5) {
        SimulatedTask task =
            new SimulatedTask(scheduler, i, "task", () -> {}, new SplitMix(seed, i));
        heap.add(task, random.nextInt(100));
        model.add(task);
      } else if (dice < 8 && !model.isEmpty()) {
        SimulatedTask early = model.remove(random.nextInt(model.size()));
        heap.remove(early);
        heap.remove(early);
      } else if (!model.isEmpty()) {
        long earliest = model.stream().mapToLong(task -> task.wakeAt).min().orElseThrow();
        assertThat(heap.earliest()).isEqualTo(earliest);
        SimulatedTask polled = heap.poll();
        assertThat(polled.wakeAt).isEqualTo(earliest);
        assertThat(polled.heapPlace).isEqualTo(TimerHeap.ABSENT);
        assertThat(model.remove(polled)).isTrue();
      }
    }
    model.sort(Comparator.comparingLong(task -> task.wakeAt));
    for (SimulatedTask next : model) {
      assertThat(heap.poll().wakeAt).isEqualTo(next.wakeAt);
    }
    assertThat(heap.isEmpty()).isTrue();
  }
}

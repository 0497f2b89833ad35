package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.store.Store;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class TrackWriterTest {
  private static final Track TRACK = new Track("mine", "items", "", Mode.STEADY);
  private static final SliceEnd END = new SliceEnd(Optional.empty(), false);
  private static final CollectedRecord RECORD =
      new CollectedRecord("1", "", JsonNodeFactory.instance.objectNode());

  /** What reached the sink's writer, step by step. */
  private final List<String> steps = new ArrayList<>();

  private boolean fails;

  private final SliceWriter ofSink =
      (SliceWriter)
          Proxy.newProxyInstance(
              SliceWriter.class.getClassLoader(),
              new Class<?>[] {SliceWriter.class},
              (proxy, method, arguments) -> {
                steps.add(method.getName());
                if (fails && List.of(method.getExceptionTypes()).contains(IOException.class)) {
                  throw new IOException("no room");
                }
                return method.getReturnType() == String.class
                    ? method.getName()
                    : method.getReturnType() == Optional.class ? Optional.of(END) : null;
              });

  private final Progress progress = new Progress();
  private final TrackWriter writer = new TrackWriter(progress, TRACK, false, ofSink);

  private void slice(String... streams) throws Exception {
    for (String stream : streams) {
      writer.write(stream, RECORD);
    }
    String unused = writer.prepare(END, "");
  }

  @Test
  void every_step_of_a_slice_reaches_the_sink_so_that_nothing_it_should_keep_is_lost()
      throws Exception {
    assertThat(writer.unacknowledged()).contains(END);
    assertThat(writer.noted()).isEqualTo("noted");
    writer.write("items", RECORD);
    assertThat(writer.prepare(END, "facts")).isEqualTo("prepare");
    try (Store store = Store.inMemory(Time.real())) {
      store.write(
          transaction -> {
            writer.commit(transaction);
            return null;
          });
    }
    writer.acknowledge();
    writer.giveUp();
    writer.close();
    assertThat(steps)
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(SliceWriter.class.getMethods()).map(Method::getName).toList());
  }

  @Test
  void only_records_whose_bookmark_has_moved_are_counted() throws Exception {
    slice("items", "items", "texts");
    assertThat(progress.records(TRACK)).isZero();
    writer.acknowledge();
    slice("items");
    writer.giveUp();
    slice("texts");
    writer.acknowledge();
    assertThat(progress.records(TRACK)).as("without their details").isEqualTo(2);
    assertThat(progress.recordsByStream()).containsEntry("items", 2L).containsEntry("texts", 2L);
    assertThat(progress.snapshot(0, RequestCounts.NONE).records()).isEqualTo(4);
  }

  @Test
  void a_sink_that_fails_is_not_taken_for_the_provider() {
    fails = true;
    assertThatThrownBy(() -> writer.write("items", RECORD)).isInstanceOf(SinkException.class);
    assertThatThrownBy(() -> writer.prepare(END, "")).isInstanceOf(SinkException.class);
    assertThatThrownBy(writer::acknowledge).isInstanceOf(SinkException.class);
    assertThatThrownBy(writer::giveUp).isInstanceOf(SinkException.class);
    assertThatThrownBy(writer::close)
        .isInstanceOf(SinkException.class)
        .hasMessageContaining("no room");
  }

  @Test
  void what_is_durable_from_before_a_reset_is_not_adopted() {
    assertThat(new TrackWriter(progress, TRACK, true, ofSink).unacknowledged()).isEmpty();
  }
}

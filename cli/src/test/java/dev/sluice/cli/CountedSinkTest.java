package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CountedSinkTest {
  private static final Track TRACK = new Track("mine", "items", "", Mode.STEADY);

  /** What reached the writer, step by step. */
  private final List<String> steps = new ArrayList<>();

  private final SliceWriter writer =
      (SliceWriter)
          Proxy.newProxyInstance(
              SliceWriter.class.getClassLoader(),
              new Class<?>[] {SliceWriter.class},
              (proxy, method, arguments) -> {
                steps.add(method.getName());
                return method.getReturnType() == String.class
                    ? method.getName()
                    : method.getReturnType() == Optional.class ? Optional.empty() : null;
              });

  private final CountedSink sink =
      new CountedSink(
          new Sink() {
            @Override
            public SliceWriter open(
                Track track, List<StreamShape> streams, long fence, Optional<String> mark) {
              return writer;
            }

            @Override
            public String description() {
              return "nowhere";
            }

            @Override
            public void close() {}
          });

  @Test
  void every_step_of_a_slice_reaches_the_sink_so_that_nothing_it_should_keep_is_lost()
      throws Exception {
    SliceWriter counted = sink.open(TRACK, List.of(), 1, Optional.empty());
    List<String> all = Stream.of(SliceWriter.class.getMethods()).map(Method::getName).toList();
    for (Method method : SliceWriter.class.getMethods()) {
      call(counted, method);
    }
    assertThat(steps).containsExactlyElementsOf(all).contains("note", "noted", "unacknowledged");
    assertThat(counted.noted()).isEqualTo("noted");
  }

  private static void call(SliceWriter counted, Method method)
      throws IllegalAccessException, InvocationTargetException {
    Object unused =
        method.invoke(
            counted,
            Stream.of(method.getParameterTypes()).map(CountedSinkTest::something).toArray());
  }

  private static @Nullable Object something(Class<?> type) {
    if (type == String.class) {
      return "items";
    } else if (type == Optional.class) {
      return Optional.empty();
    }
    return type == SliceEnd.class ? new SliceEnd(Optional.empty(), false) : null;
  }
}

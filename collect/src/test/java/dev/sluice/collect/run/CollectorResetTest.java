package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.collect.sink.jsonlines.JsonLinesSink;
import dev.sluice.collect.sink.sql.SqlSink;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.reset.Reset;
import dev.sluice.runs.reset.Scope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import dev.sluice.simulator.catalogue.CatalogueOptions;
import dev.sluice.simulator.provider.http.Provider;
import dev.sluice.simulator.provider.http.ProviderOptions;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run does with streams that somebody let begin anew. */
class CollectorResetTest {
  private static final int ITEMS = 20;

  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  private record Scene(Time time, Store store, Provider provider) {
    CollectionResult collect(Items items, Sink sink) throws Exception {
      try (ProviderGates gates = new ProviderGates(store, time)) {
        return new Collector(
                CollectionRequest.of("mine", items),
                sink,
                store,
                gates,
                new ProviderTransport(provider),
                time)
            .run();
      }
    }

    /** A process that ends when its first slice is in the sink, and its bookmark not moved. */
    void collectUntilASliceIsDurable(Items items, Sink sink) throws Exception {
      Sink breaking =
          new Sink() {
            @Override
            public SliceWriter open(
                Track track, List<StreamShape> streams, long fence, Optional<String> mark)
                throws IOException {
              return breaking(sink.open(track, streams, fence, mark));
            }

            @Override
            public String description() {
              return sink.description();
            }

            @Override
            public void close() {}
          };
      assertThat(collect(items, breaking).outcome()).isInstanceOf(Outcome.Failed.class);
    }

    private static SliceWriter breaking(SliceWriter writer) {
      AtomicBoolean written = new AtomicBoolean();
      InvocationHandler handler =
          (proxy, method, arguments) -> {
            Object result = method.invoke(writer, arguments);
            written.compareAndSet(false, method.getName().equals("write"));
            if (written.get() && method.getName().equals("prepare")) {
              throw new IOException("it ends here");
            }
            return result;
          };
      return (SliceWriter)
          Proxy.newProxyInstance(
              SliceWriter.class.getClassLoader(), new Class<?>[] {SliceWriter.class}, handler);
    }

    void reset(String stream) {
      Scope scope = new Scope("mine", Optional.of(stream), Optional.empty());
      assertThat(new Reset(store, time, new Leases(store, time), scope).carryOut()).isEmpty();
    }
  }

  private interface Story {
    void happen(Scene scene) throws Exception;
  }

  private static void play(Story story) {
    SimulatedTime.run(
        1,
        time -> {
          ProviderOptions options =
              ProviderOptions.DEFAULTS.withCatalogue(CatalogueOptions.DEFAULTS.withItems(ITEMS));
          try (Store store = Store.inMemory(time)) {
            story.happen(new Scene(time, store, new Provider(options, time)));
          }
        });
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve("mine"))) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void assertNamesTheCommand(CollectionResult result) {
    assertThat(result.outcome())
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> {
              assertThat(failed.reason()).isEqualTo(Reason.Failure.STORAGE);
              assertThat(failed.detail()).contains("sluice reset mine --stream items");
            });
  }

  @Test
  void records_whose_file_was_lost_are_collected_again_by_the_command_that_the_failure_names() {
    play(
        scene -> {
          Sink sink = new JsonLinesSink(folder);
          assertThat(scene.collect(Items.of(10), sink).outcome())
              .isEqualTo(new Outcome.Completed());
          assertThat(files()).hasSize(1);
          Files.delete(files().getFirst());

          assertNamesTheCommand(scene.collect(Items.of(10), sink));
          scene.reset("items");
          assertThat(scene.collect(Items.of(10), sink).outcome())
              .isEqualTo(new Outcome.Completed());
          assertThat(Files.readAllLines(files().getLast())).hasSize(ITEMS);
        });
  }

  @Test
  void records_whose_database_was_lost_are_missed_and_collected_again_by_the_same_command() {
    play(
        scene -> {
          Path file = folder.resolve("x.db");
          try (Sink sink = SqlSink.at("jdbc:sqlite:" + file, new Properties(), scene.time)) {
            assertThat(scene.collect(Items.of(5), sink).outcome())
                .isEqualTo(new Outcome.Completed());
          }
          Files.delete(file);
          try (Sink sink = SqlSink.at("jdbc:sqlite:" + file, new Properties(), scene.time)) {
            assertNamesTheCommand(scene.collect(Items.of(5), sink));
            scene.reset("items");
            assertThat(scene.collect(Items.of(5), sink).progress().records()).isEqualTo(ITEMS);
          }
        });
  }

  @Test
  void files_that_are_there_stay_as_they_are() {
    play(
        scene -> {
          Sink sink = new JsonLinesSink(folder);
          assertThat(scene.collect(Items.of(10), sink).outcome())
              .isEqualTo(new Outcome.Completed());
          String before = Files.readString(files().getFirst());
          scene.reset("items");
          assertThat(scene.collect(Items.of(10), sink).outcome())
              .isEqualTo(new Outcome.Completed());
          assertThat(files()).hasSize(2);
          assertThat(Files.readString(files().getFirst())).isEqualTo(before);
        });
  }

  // One slice is the hard case: to a sink with markers of its own, a bookmark that is gone looks
  // like one that was never moved past its first slice.
  @ParameterizedTest
  @ValueSource(ints = {5, ITEMS})
  void a_slice_that_another_database_remembers_does_not_move_a_bookmark_that_was_reset(int page) {
    play(
        scene -> {
          try (Sink sink =
              SqlSink.at("jdbc:sqlite:" + folder.resolve("x.db"), new Properties(), scene.time)) {
            assertThat(scene.collect(Items.of(page), sink).progress().records()).isEqualTo(ITEMS);
            assertThat(scene.collect(Items.of(page), sink).progress().records()).isZero();
            scene.reset("items");
            scene.collectUntilASliceIsDurable(Items.of(page), sink);
            CollectionResult again = scene.collect(Items.of(page), sink);
            assertThat(again.outcome()).isEqualTo(new Outcome.Completed());
            assertThat(again.progress().records())
                .as("and a slice of the present is not fetched twice")
                .isEqualTo(ITEMS - page);
            assertThat(scene.collect(Items.of(page), sink).progress().records()).isZero();
          }
        });
  }
}

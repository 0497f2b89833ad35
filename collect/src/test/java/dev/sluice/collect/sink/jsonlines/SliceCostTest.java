package dev.sluice.collect.sink.jsonlines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.run.CollectionRequest;
import dev.sluice.collect.run.CollectionResult;
import dev.sluice.collect.run.Collector;
import dev.sluice.collect.run.ProviderGates;
import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.sql.Dialect;
import dev.sluice.collect.sink.sql.SqlSink;
import dev.sluice.collect.yaml.ConnectorFile;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.Work;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What a slice costs in what is slow: commits of the store, and syncs of files. Counted as the
 * difference between two runs, so that what a run costs once does not matter.
 */
class SliceCostTest {
  private static final int FEW = 10;
  private static final int MANY = 110;

  /**
   * What a run did.
   *
   * @param commits transactions of the store that write
   * @param syncs of files and folders
   */
  private record Cost(int commits, int syncs) {
    Cost minus(Cost other) {
      return new Cost(commits - other.commits, syncs - other.syncs);
    }
  }

  private static final class CountingStore implements Store {
    private final Store store;
    private int commits;

    CountingStore(Store store) {
      this.store = store;
    }

    @Override
    public <T extends @Nullable Object> T write(Work<T> work) {
      commits++;
      return store.write(work);
    }

    @Override
    public <T extends @Nullable Object> T read(Work<T> work) {
      return store.read(work);
    }

    @Override
    public void close() {
      store.close();
    }
  }

  private static final class CountingDisk implements Disk {
    private final Disk disk;
    private int syncs;

    CountingDisk(Disk disk) {
      this.disk = disk;
    }

    @Override
    public void makeFolder(Path folder) throws IOException {
      disk.makeFolder(folder);
    }

    @Override
    public List<String> names(Path folder) throws IOException {
      return disk.names(folder);
    }

    @Override
    public OptionalLong length(Path file) throws IOException {
      return disk.length(file);
    }

    @Override
    public GrowingFile create(Path file) throws IOException {
      GrowingFile grown = disk.create(file);
      return new GrowingFile() {
        @Override
        public void append(byte[] bytes, int count) throws IOException {
          grown.append(bytes, count);
        }

        @Override
        public void cut(long length) throws IOException {
          grown.cut(length);
        }

        @Override
        public void force() throws IOException {
          syncs++;
          grown.force();
        }

        @Override
        public void close() throws IOException {
          grown.close();
        }
      };
    }

    @Override
    public void copy(Path from, Path to, long length) throws IOException {
      syncs++;
      disk.copy(from, to, length);
    }

    @Override
    public void cut(Path file, long length) throws IOException {
      syncs++;
      disk.cut(file, length);
    }

    @Override
    public void move(Path from, Path to) throws IOException {
      disk.move(from, to);
    }

    @Override
    public void delete(Path file) throws IOException {
      disk.delete(file);
    }

    @Override
    public void force(Path folder) throws IOException {
      syncs++;
      disk.force(folder);
    }
  }

  /** So many pages, each a slice. */
  private static Transport pages(int count) {
    return request -> {
      String query = String.valueOf(request.uri().getQuery());
      int page = query.startsWith("cursor=") ? Integer.parseInt(query.substring(7)) : 0;
      return new WebAnswer(
          200,
          HttpHeaders.of(
              Map.of("Content-Type", List.of("application/json")), (name, value) -> true),
          "{\"items\": [{\"id\": %d}], \"next\": %s}"
              .formatted(page, page + 1 < count ? "\"" + (page + 1) + "\"" : null)
              .getBytes(StandardCharsets.UTF_8));
    };
  }

  /** Where a run writes to. */
  private interface Place {
    Sink sink(Disk disk, Time time);
  }

  private static Cost cost(int slices, Place place) {
    CountingDisk disk = new CountingDisk(new SimulatedDisk(new SplittableRandom(1)).process());
    int[] commits = {0};
    SimulatedTime.run(
        1,
        time -> {
          CountingStore store = new CountingStore(Store.inMemory(time));
          Transport provider = pages(slices);
          CollectionRequest request =
              CollectionRequest.of(
                  "mine",
                  ConnectorFile.parse(
                          "items.yaml",
                          """
                          connector: items
                          provider: {base: "http://127.0.0.1:8089"}
                          streams:
                            items:
                              get: /items
                              records: $.items[*]
                              key: id
                              pages: {token: $.next, ask: query cursor}
                          pacing: {start: 500/s, ceiling: 500/s, in-flight: 1}
                          """)
                      .bind(Map.of(), provider, time));
          try (ProviderGates gates = new ProviderGates(store, time)) {
            CollectionResult result =
                new Collector(request, place.sink(disk, time), store, gates, provider, time).run();
            assertThat(result.outcome()).isEqualTo(new Outcome.Completed());
            assertThat(result.progress().slices()).isEqualTo(slices);
          }
          commits[0] = store.commits;
          store.close();
        });
    return new Cost(commits[0], disk.syncs);
  }

  @Test
  void a_slice_of_rows_in_the_state_database_is_one_commit() {
    Place tables = (disk, time) -> SqlSink.inStore(Dialect.SQLITE, time);
    assertThat(cost(MANY, tables).minus(cost(FEW, tables))).isEqualTo(new Cost(MANY - FEW, 0));
  }

  @Test
  void a_slice_of_lines_in_a_file_is_one_commit_and_one_sync() {
    Place files = (disk, time) -> new JsonLinesSink(Path.of("data"), 1 << 20, disk);
    assertThat(cost(MANY, files).minus(cost(FEW, files)))
        .isEqualTo(new Cost(MANY - FEW, MANY - FEW));
  }
}

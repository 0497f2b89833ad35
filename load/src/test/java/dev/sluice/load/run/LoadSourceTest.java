package dev.sluice.load.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.table.Column;
import dev.sluice.dataverse.table.Table;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.load.RowIds;
import dev.sluice.load.input.BadInputException;
import dev.sluice.load.input.Input;
import dev.sluice.load.input.InputOptions;
import dev.sluice.load.input.RecordReader;
import dev.sluice.load.reject.RejectFile;
import dev.sluice.runs.journal.Journal;
import dev.sluice.runs.journal.Sidecar;
import dev.sluice.runs.lease.Claim;
import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadSourceTest {
  private static final int RECORDS = 50_000;

  private static final Table TABLE =
      new Table(
          "t",
          "ts",
          "tid",
          false,
          List.of(new Column("name", Column.Type.TEXT, true, true, 0, Map.of(), List.of())),
          List.of(),
          Set.of());

  @TempDir Path folder;

  @Test
  void a_reader_that_has_failed_is_not_asked_for_more() {
    byte[] whole = packed(text("record %d\n"));
    byte[] cut = Arrays.copyOf(whole, whole.length / 2);
    read(
        "t.csv.gz",
        cut,
        source -> {
          assertThatThrownBy(() -> take(source, Integer.MAX_VALUE))
              .isInstanceOf(BadInputException.class)
              .hasMessageContaining("t.csv.gz")
              .hasMessageContaining("cut off");
          long read = source.read();
          assertThat(read).isPositive();
          assertThat(source.next()).isNull();
          assertThat(source.read()).isEqualTo(read);
          assertThat(source.ended()).isFalse();
        });
  }

  @Test
  void how_many_are_left_is_known_by_what_was_read_of_the_file() {
    read("t.csv", text("record %d\n"), source -> assertLeft(source, 0.1));
    read("t.csv", text("\"two\nlines %d\"\n"), source -> assertLeft(source, 0.1));
    read("t.jsonl", text("{\"name\": \"record %d\"}\n"), source -> assertLeft(source, 0.1));
    read("t.csv.gz", packed(text("record %d\n")), source -> assertLeft(source, 0.5));
  }

  private static void assertLeft(LoadSource source, double within) throws Exception {
    take(source, 100);
    assertThat((double) source.left().orElseThrow()).isCloseTo(RECORDS, within(within * RECORDS));
    take(source, RECORDS / 2);
    assertThat((double) source.left().orElseThrow())
        .isCloseTo(RECORDS / 2.0, within(within * RECORDS));
    take(source, RECORDS);
    assertThat(source.left().orElseThrow()).isLessThan(RECORDS / 100);
  }

  private static void take(LoadSource source, int most) throws Exception {
    for (int i = 0; i < most; i++) {
      if (source.next() == null) {
        return;
      }
    }
  }

  private interface Story {
    void happen(LoadSource source) throws Exception;
  }

  private void read(String name, byte[] input, Story story) {
    SimulatedTime.run(
        1,
        time -> {
          CountedStream stream = new CountedStream(new ByteArrayInputStream(input));
          try (Store store = Store.inMemory(time);
              Lease lease = ((Claim.Taken) new Leases(store, time).take("t")).lease();
              RecordReader reader = Input.read(name, stream, InputOptions.DEFAULTS)) {
            RunRecord run = new Runs(store, time).begin(lease, "load", "t", "");
            Journal journal = Journal.open(store, time, lease, run, Sidecar.NONE);
            RejectFile rejects =
                RejectFile.fresh(
                    folder.resolve("r.csv"), reader.layout(), reader.columns(), List.of());
            RowIds ids = new RowIds(1, 1);
            Linking linking = new Linking(new RowNames(1, ids), new WaitingRows(1), 0);
            OnTheWay onTheWay = new OnTheWay();
            story.happen(
                new LoadSource(
                    reader,
                    LoadRequest.of("e", TABLE, Operation.CREATE, name).mapper(reader, ids),
                    new LoadJournal(
                        journal,
                        rejects,
                        onTheWay,
                        linking,
                        new RejectWatch(RejectLimit.DEFAULT, 0, () -> {}),
                        new FirstLines()),
                    onTheWay,
                    new FirstLines(),
                    () -> stream.count() / (double) input.length,
                    stream::verify));
          }
        });
  }

  private static byte[] text(String record) {
    StringBuilder text = new StringBuilder(record.startsWith("{") ? "" : "name\n");
    for (int i = 0; i < RECORDS; i++) {
      text.append(record.formatted(i * 7919L % 50_021));
    }
    return text.toString().getBytes(UTF_8);
  }

  private static byte[] packed(byte[] text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      zip.write(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}

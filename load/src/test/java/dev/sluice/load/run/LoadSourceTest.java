package dev.sluice.load.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.dataverse.message.Item;
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
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadSourceTest {
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
    SimulatedTime.run(
        1,
        time -> {
          try (Store store = Store.inMemory(time);
              Lease lease = ((Claim.Taken) new Leases(store, time).take("t")).lease();
              RecordReader reader =
                  Input.read("t.csv.gz", new ByteArrayInputStream(cut()), InputOptions.DEFAULTS)) {
            RunRecord run = new Runs(store, time).begin(lease, "load", "t", "");
            Journal journal = Journal.open(store, time, lease, run, Sidecar.NONE);
            RejectFile rejects =
                RejectFile.fresh(folder.resolve("r.csv"), reader.layout(), reader.columns());
            RowIds ids = new RowIds(1, 1);
            Linking linking = new Linking(new RowNames(1, ids), new WaitingRows(1), 0);
            OnTheWay onTheWay = new OnTheWay();
            LoadSource source =
                new LoadSource(
                    reader,
                    LoadRequest.of("e", TABLE, Operation.CREATE, "t.csv.gz").mapper(reader, ids),
                    new LoadJournal(journal, rejects, onTheWay, linking),
                    onTheWay);
            assertThatThrownBy(
                    () -> {
                      Item item = source.next();
                      while (item != null) {
                        item = source.next();
                      }
                    })
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("t.csv.gz")
                .hasMessageContaining("cut off");
            long read = source.read();
            assertThat(read).isPositive();
            assertThat(source.next()).isNull();
            assertThat(source.read()).isEqualTo(read);
            assertThat(source.ended()).isFalse();
          }
        });
  }

  private static byte[] cut() throws Exception {
    StringBuilder text = new StringBuilder("name\n");
    for (int i = 0; i < 50_000; i++) {
      text.append("record ").append(i * 7919L % 50_021).append('\n');
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      zip.write(text.toString().getBytes(UTF_8));
    }
    return Arrays.copyOf(bytes.toByteArray(), bytes.size() / 2);
  }
}

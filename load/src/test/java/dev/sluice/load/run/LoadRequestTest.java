package dev.sluice.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.table.Table;
import dev.sluice.load.input.InputOptions;
import dev.sluice.load.mapping.MappingException;
import dev.sluice.load.mapping.MappingFile;
import dev.sluice.load.mapping.MappingOptions;
import dev.sluice.runs.run.Envelope;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What makes two loads the same work. */
class LoadRequestTest {

  @Test
  void the_order_of_labels_does_not_make_it_other_work() throws Exception {
    assertThat(identity("{Open: 1, Closed: 2, On hold: 3, Lost: 4}"))
        .isEqualTo(identity("{Lost: 4, On hold: 3, Closed: 2, Open: 1}"));
  }

  @Test
  void another_label_does() throws Exception {
    assertThat(identity("{Open: 1}")).isNotEqualTo(identity("{Open: 2}"));
  }

  private static String identity(String labels) throws MappingException {
    Table table = new Table("t", "ts", "tid", false, List.of(), List.of(), Set.of());
    LoadRequest plain = LoadRequest.of("http://localhost", table, Operation.CREATE, "t.csv");
    return new LoadRequest(
            plain.environment(),
            table,
            Operation.CREATE,
            plain.source(),
            InputOptions.DEFAULTS,
            MappingFile.parse("m.yaml", "columns: {Stage: {optionset: " + labels + "}}"),
            MappingOptions.DEFAULTS,
            plain.bulk(),
            Envelope.UNBOUNDED,
            plain.maxRejects(),
            false,
            plain.name(),
            plain.again(),
            plain.caller())
        .work();
  }
}

package dev.sluice.load.run;

import dev.sluice.dataverse.DataverseClient;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.Identity;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.signin.Credential;
import dev.sluice.dataverse.table.Column;
import dev.sluice.dataverse.table.Table;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.load.input.InputOptions;
import dev.sluice.load.mapping.Mapping;
import dev.sluice.load.mapping.MappingOptions;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.TestDatabase;
import dev.sluice.runs.store.TestDatabase.Database;
import dev.sluice.simulator.dataverse.ApplicationUser;
import dev.sluice.simulator.dataverse.Environment;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.http.InProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** A simulated environment, its time, a store, and loads by processes of which each knows none. */
record Scene(Environment environment, SimulatedTime time, Store store) {
  static final URI ADDRESS = URI.create("http://localhost:5000");
  static final List<ApplicationUser> USERS = ApplicationUser.several(3, 1);

  interface Story {
    void happen(Scene scene) throws Exception;
  }

  static void in(TestDatabase database, EnvironmentOptions options, long seed, Story story) {
    SimulatedTime.run(
        seed,
        time -> {
          try (Database fresh = database.create();
              Store store = fresh.open(time)) {
            story.happen(new Scene(new Environment(options, time, seed), time, store));
          }
        });
  }

  DataverseClient connect() throws IOException, InterruptedException {
    List<Identity> identities =
        USERS.stream()
            .map(
                user ->
                    new Identity(
                        user.name(),
                        new Credential.ClientSecret(
                            EnvironmentOptions.TENANT.toString(),
                            user.clientId().toString(),
                            user.secret())))
            .toList();
    return DataverseClient.connect(
        DataverseOptions.of(ADDRESS, identities).withAuthority(ADDRESS),
        new InProcess(environment, time),
        time,
        message -> {});
  }

  /** What is asked for, with a table that hides from us how long its texts may be. */
  static LoadRequest request(
      Table table, Operation operation, Path file, List<String> key, boolean restart) {
    return request(table, operation, file, key, Mapping.NONE, restart);
  }

  /** The same with a mapping. */
  static LoadRequest request(
      Table table,
      Operation operation,
      Path file,
      List<String> key,
      Mapping mapping,
      boolean restart) {
    List<Column> columns =
        table.columns().stream()
            .map(
                column ->
                    new Column(
                        column.logicalName(),
                        column.type(),
                        column.creatable(),
                        column.updatable(),
                        0,
                        column.options(),
                        column.targets()))
            .toList();
    Table blurred =
        new Table(
            table.logicalName(),
            table.entitySet(),
            table.primaryId(),
            table.elastic(),
            columns,
            table.keys(),
            table.bulk());
    LoadRequest plain = LoadRequest.of(ADDRESS.toString(), blurred, operation, file.toString());
    return new LoadRequest(
        plain.environment(),
        plain.table(),
        operation,
        plain.source(),
        InputOptions.DEFAULTS,
        mapping,
        MappingOptions.DEFAULTS.withKey(key),
        plain.bulk().withBatchSize(20),
        Envelope.UNBOUNDED,
        RejectLimit.DEFAULT,
        restart,
        plain.name(),
        plain.again(),
        plain.caller());
  }

  LoadResult load(DataverseClient client, Store seen, LoadRequest request) throws Exception {
    return new Load(request, client.bulk(), seen, time).run(InputStream.nullInputStream());
  }
}

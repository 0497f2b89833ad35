package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.Time;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.Work;
import dev.sluice.simulator.catalogue.CatalogueOptions;
import dev.sluice.simulator.provider.http.Provider;
import dev.sluice.simulator.provider.http.ProviderOptions;
import dev.sluice.simulator.provider.http.ProviderServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where {@code sluice collect} is tried: a folder with a connector and a collection, and a
 * simulated provider on loopback that they lead to.
 */
final class CollectStage implements AutoCloseable {
  static final int ITEMS = 30;

  /** Items and their comments, as files describe them. */
  static final List<String> CONNECTOR =
      List.of(
          "connector: items",
          "version: 1",
          "config:",
          "  port: {type: int}",
          "provider:",
          "  base: http://127.0.0.1:{config.port}",
          "streams:",
          "  items:",
          "    get: /items",
          "    query: {sort: updated_at, limit: 10}",
          "    records: $.items[*]",
          "    key: id",
          "    cursor: {field: updated_at, as: instant, ask: query updated_since}",
          "    pages: {token: $.next_cursor, ask: query cursor}",
          "  comments:",
          "    for-each: items",
          "    get: /items/{parent.id}/comments",
          "    records: $.items[*]",
          "    key: id",
          "    pages: {token: $.next_cursor, ask: query cursor}",
          "pacing: {start: 500/s, ceiling: 1000/s}");

  private final Path folder;
  private final ProviderServer server;

  CollectStage(Path folder) throws IOException {
    this(folder, options -> options);
  }

  /** With a provider that is like this instead. */
  CollectStage(Path folder, UnaryOperator<ProviderOptions> provider) throws IOException {
    this.folder = folder;
    ProviderOptions options =
        ProviderOptions.DEFAULTS.withCatalogue(CatalogueOptions.DEFAULTS.withItems(ITEMS));
    server =
        ProviderServer.start(new Provider(provider.apply(options), Time.real()), Time.real(), 0);
    connector(CONNECTOR);
    collection("into: {json-lines: data}");
  }

  /** Describes the provider otherwise. */
  void connector(List<String> lines) throws IOException {
    Files.write(folder.resolve("items.yaml"), lines);
  }

  /** Asks for something else. */
  void collection(String... more) throws IOException {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "collect: items.yaml",
                "as: mine",
                "config: {port: " + server.address().getPort() + "}"));
    lines.addAll(Arrays.asList(more));
    Files.write(folder.resolve("mine.yaml"), lines);
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  /** {@code sluice collect} of this collection. */
  Ran collect(String... more) {
    return Ran.of(with(new String[] {"collect", file("mine.yaml").toString()}, more));
  }

  /** A command that looks into the state of this collection. */
  Ran look(String... command) {
    return Ran.of(with(command, "--state", state().toString()));
  }

  private static String[] with(String[] some, String... more) {
    return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
  }

  Path state() {
    return file(".sluice/state.db");
  }

  /** Puts something into the state. */
  void write(Work<?> work) {
    try (Store store = Store.open(state(), Time.real())) {
      Object unused = store.write(work);
    }
  }

  /** The ids of a stream's records, in all files that are finished. */
  List<Integer> ids(String stream) throws IOException {
    List<Integer> ids = new ArrayList<>();
    try (Stream<Path> files = Files.walk(file("data"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString();
        assertThat(name).endsWith(".jsonl");
        if (name.startsWith(stream)) {
          for (String line : Files.readAllLines(file)) {
            ids.add(JsonMapper.shared().readTree(line).path("id").asInt());
          }
        }
      }
    }
    return ids;
  }

  /** The provider is gone from now on. */
  @Override
  public void close() {
    server.close();
  }
}

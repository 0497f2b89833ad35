package dev.sluice.cli;

import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.run.CollectionRequest;
import dev.sluice.collect.run.CollectionResult;
import dev.sluice.collect.run.Collector;
import dev.sluice.collect.run.ProviderGates;
import dev.sluice.collect.setup.CollectionFile;
import dev.sluice.collect.setup.Destination;
import dev.sluice.collect.setup.StatePlace;
import dev.sluice.collect.sink.Sink;
import dev.sluice.collect.sink.jsonlines.JsonLinesSink;
import dev.sluice.collect.sink.singer.SingerSink;
import dev.sluice.collect.sink.sql.Dialect;
import dev.sluice.collect.sink.sql.SqlSink;
import dev.sluice.collect.yaml.ConnectorFile;
import dev.sluice.config.ConfigurationException;
import dev.sluice.gate.time.Termination;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.HttpTransport;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.words.Spelling;
import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code sluice collect}: one run of a collection. */
@Command(
    name = "collect",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    sortOptions = false,
    description = {
      "Collects what is new from a provider, and what an earlier run had missed.",
      "",
      "FILE says which connector, with which configuration, and where records go. The",
      "provider is asked at the pace that it bears. A run that may not go on, or should",
      "not, ends as deferred: what is missing is written down, and the next run goes on",
      "from there. Killed at any moment, no record is lost or doubled.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sluice collect issues.yaml",
      "  sluice collect issues.yaml --max-requests 500 --max-time 10m",
      "",
      "Ctrl-C stops it politely: what is under way may finish within 10 s."
    })
final class CollectCommand implements Callable<Integer> {
  private static final Duration CONNECT = Duration.ofSeconds(10);

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FILE", description = "The collection, a YAML file.")
  @SuppressWarnings("NullAway.Init") // required
  private Path file;

  @Option(
      names = "--stream",
      paramLabel = "NAME",
      split = ",",
      description = "Only these listed streams, with their details.")
  private List<String> streams = List.of();

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private RunLimits limits;

  @Option(
      names = "--force",
      description = "Goes on although the provider is being left alone after pressure.")
  private boolean force;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private StateOption state;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  private final Time time = Time.real();

  @Override
  public Integer call() throws InterruptedException {
    try (HttpTransport transport = new HttpTransport(CONNECT, time)) {
      CollectionFile collection =
          CollectionFile.read(file, System.getenv(), CollectionRequest.INLINE_WAIT);
      Connector connector =
          ConnectorFile.read(collection.connector()).bind(collection.config(), transport, time);
      checkStreams(connector);
      CollectionRequest request =
          new CollectionRequest(
              collection.name(),
              connector,
              limits.over(collection.envelope()),
              collection.inlineWait(),
              Set.copyOf(streams),
              force);
      return collect(collection, request, transport);
    } catch (ConfigurationException e) {
      return ExitCode.BAD_ARGUMENTS.because(
          spec, String.join(System.lineSeparator(), e.mistakes()));
    } catch (StoreException | IOException e) {
      return ExitCode.FAILED.because(spec, String.valueOf(e.getMessage()));
    }
  }

  private int collect(CollectionFile collection, CollectionRequest request, Transport transport)
      throws ConfigurationException, IOException, InterruptedException {
    StatePlace kept = state.or(collection.state());
    try (Store store = state.open(kept, time);
        ProviderGates gates = new ProviderGates(store, time);
        Sink sink = sink(collection, kept)) {
      Optional<String> other = otherConnector(store, request);
      if (other.isPresent()) {
        return ExitCode.BAD_ARGUMENTS.because(spec, other.get());
      }
      Collector collector = new Collector(request, sink, store, gates, transport, time);
      try (Termination termination =
          PoliteStop.watch(collector::cancel, spec.commandLine().getErr())) {
        CollectionResult result = run(collector);
        NamedCommands commands = new NamedCommands(StateOption.toFind(kept));
        print(collection, request, result, commands);
        CollectEnding ending =
            new CollectEnding(request, result, store.read(DetailGaps::counts), commands);
        int code = tell(ending);
        termination.over(code);
        return code;
      }
    }
  }

  /** What is wrong with a name under which another connector has left its bookmarks. */
  private Optional<String> otherConnector(Store store, CollectionRequest request) {
    String name = request.connector().name();
    return new Runs(store, time)
        .last(Collector.KIND, request.name())
        .map(RunRecord::options)
        .filter(before -> !before.isEmpty() && !before.equals(name))
        .map(
            before ->
                "'%s' was collected with the connector %s before, and this file names %s; their bookmarks would be taken for each other's: give this one another name (as: in %s)"
                    .formatted(request.name(), before, name, file));
  }

  private Sink sink(CollectionFile collection, StatePlace kept) throws ConfigurationException {
    return switch (collection.into()) {
      case Destination.JsonLines(Path folder) -> new JsonLinesSink(folder);
      case Destination.Sqlite(Path database) ->
          SqlSink.at("jdbc:sqlite:" + database, new Properties(), time);
      case Destination.Postgresql(String url, Map<String, String> login) -> {
        Properties properties = new Properties();
        properties.putAll(login);
        try {
          yield SqlSink.at(url, properties, time);
        } catch (IllegalArgumentException e) { // an address of no database
          throw new ConfigurationException(List.of("%s: %s".formatted(file, e.getMessage())));
        }
      }
      case Destination.State tables ->
          SqlSink.inStore(
              switch (kept) {
                case StatePlace.File file -> Dialect.SQLITE;
                case StatePlace.Database database -> Dialect.POSTGRESQL;
              },
              time);
      case Destination.Singer singer -> new SingerSink(System.out);
    };
  }

  private void checkStreams(Connector connector) {
    List<String> known = connector.streams().stream().map(stream -> stream.shape().name()).toList();
    for (String name : streams) {
      if (!known.contains(name)) {
        throw new ParameterException(
            spec.commandLine(),
            "--stream names '%s', but the connector lists %s%s"
                .formatted(name, String.join(", ", known), meant(name, connector, known)));
      }
    }
  }

  private static String meant(String name, Connector connector, List<String> known) {
    return connector.streams().stream()
        .filter(list -> list.details().stream().anyMatch(each -> each.shape().name().equals(name)))
        .map(list -> list.shape().name())
        .findFirst()
        .map(list -> "; its records come with those of %1$s: --stream %1$s".formatted(list))
        .or(() -> Spelling.closest(name, known).map("; did you mean %s?"::formatted))
        .orElse("");
  }

  private CollectionResult run(Collector collector) throws InterruptedException {
    CollectScreen screen = new CollectScreen(collector, time);
    LiveLine shown =
        new LiveLine(spec.commandLine().getErr(), LiveLine.onTerminal(), time, screen::line);
    try {
      return collector.run();
    } finally {
      shown.end();
    }
  }

  private void print(
      CollectionFile collection,
      CollectionRequest request,
      CollectionResult result,
      NamedCommands commands) {
    // Singer messages have standard output for themselves.
    PrintWriter out =
        collection.into() instanceof Destination.Singer
            ? spec.commandLine().getErr()
            : spec.commandLine().getOut();
    if (output.json()) {
      CollectJson.print(out, request, result, commands);
    } else {
      CollectScreen.summary(out, request, result, commands);
    }
  }

  private int tell(CollectEnding ending) {
    String message = ending.message();
    return message.isEmpty() ? ending.code().number() : ending.code().because(spec, message);
  }
}

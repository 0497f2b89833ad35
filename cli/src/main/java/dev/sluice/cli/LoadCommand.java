package dev.sluice.cli;

import dev.sluice.cli.config.Configuration;
import dev.sluice.cli.config.ConfigurationException;
import dev.sluice.control.quota.QuotaProfile;
import dev.sluice.dataverse.DataverseClient;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.Identity;
import dev.sluice.dataverse.bulk.BulkOptions;
import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.service.FaultException;
import dev.sluice.dataverse.signin.SignInException;
import dev.sluice.gate.RefusedException;
import dev.sluice.gate.time.Termination;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.words.ShellWord;
import dev.sluice.load.input.BadInputException;
import dev.sluice.load.input.InputOptions;
import dev.sluice.load.mapping.Mapping;
import dev.sluice.load.mapping.MappingException;
import dev.sluice.load.mapping.MappingOptions;
import dev.sluice.load.run.AlreadyRunningException;
import dev.sluice.load.run.DryRun;
import dev.sluice.load.run.Load;
import dev.sluice.load.run.LoadException;
import dev.sluice.load.run.LoadRequest;
import dev.sluice.load.run.LoadResult;
import dev.sluice.load.run.RejectLimit;
import dev.sluice.runs.pressure.QuotaMemory;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import java.io.IOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code sluice load}: records from a file into a table, resumable. */
@Command(
    name = "load",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    sortOptions = false,
    description = {
      "Creates, updates, upserts or deletes the records of a file in a Dataverse table.",
      "",
      "Reads CSV or JSON Lines, packed with gzip or not, as a stream. Sends through all",
      "application users of sluice.yaml at once, as fast as the service allows. Writes",
      "down what it sends before it sends it: stopped or killed at any moment, the same",
      "command goes on where it stopped, and no record is lost or doubled. Records that",
      "are refused are collected in FILE.rejected.csv with the reason, ready to be",
      "corrected and loaded.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  sluice load account accounts.csv",
      "  sluice load contact people.jsonl.gz --op upsert --key externaluseridentifier",
      "  sluice load account old.csv --op delete --dry-run",
      "  zcat accounts.csv.gz | sluice load account -",
      "",
      "Ctrl-C stops it politely: what is under way may finish within 10 s."
    })
final class LoadCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "TABLE", description = "Logical name, such as account.")
  @SuppressWarnings("NullAway.Init") // required
  private String table;

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      description = "CSV or JSON Lines; - for standard input.")
  @SuppressWarnings("NullAway.Init") // required
  private String file;

  @Option(
      names = "--op",
      paramLabel = "OP",
      defaultValue = "create",
      description = "create, update, upsert or delete (default: create).")
  @SuppressWarnings("NullAway.Init") // has a default
  private Operation operation;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private RowOptions rows;

  @Option(names = "--dry-run", description = "Reads, maps and checks all records, and sends none.")
  private boolean dryRun;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private SendOptions sending;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private RunLimits limits;

  @Option(
      names = "--restart",
      description = "Forgets an unfinished load of this file; rows that are in stay in.")
  private boolean restart;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description = "Where loads are kept (default: what sluice.yaml says).")
  private @Nullable Path state;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private ConfigFile config;

  private final Time time = Time.real();
  private boolean connecting; // so that whatever fails is the network

  @Override
  public Integer call() throws ConfigurationException, InterruptedException {
    InputOptions input = rows.input();
    MappingOptions mappingOptions = rows.mappingOptions();
    Optional<UUID> caller = sending.caller();
    List<UUID> steps = sending.steps();
    BulkOptions sized = sending.batches();
    Envelope envelope = limits.over(Envelope.UNBOUNDED);
    RejectLimit maxRejects = sending.maxRejects();
    Configuration configuration = config.read();
    BulkOptions bulk = sized.withMessage(sending.message(configuration.message(), steps));
    DataverseOptions configured = configuration.dataverse();
    DataverseOptions options = caller.map(configured::withCaller).orElse(configured);
    try {
      Mapping columns = rows.mapping();
      DataverseOptions tuned =
          options
              .withAdaptiveRate(sending.rate(options.adaptiveRate()))
              .withLearned(checkFree(options, state(configuration)));
      connecting = true;
      try (DataverseClient client = DataverseClient.connect(tuned, this::prompt)) {
        LoadRequest request =
            new LoadRequest(
                options.environment().toString(),
                client.table(table),
                operation,
                file,
                input,
                columns,
                mappingOptions,
                bulk,
                envelope,
                maxRejects,
                restart);
        connecting = false;
        PolicyPlan plan = PolicyPlan.of(tuned, client.identities().values());
        return dryRun ? rehearse(request) : load(request, client, configuration, plan);
      }
    } catch (SignInException e) {
      return ExitCode.NOT_SIGNED_IN.because(spec, e.getMessage());
    } catch (FaultException e) {
      return exitCode(e.fault())
          .because(
              spec,
              e.fault() instanceof Fault.UnknownOutcome || e.fault() instanceof Fault.NotDataverse
                  ? "%s does not answer as a Dataverse environment does (%s); check 'environment' in the configuration, or try again later"
                      .formatted(options.environment(), e.fault().message())
                  : e.getMessage());
    } catch (RefusedException e) {
      return ExitCode.DEFERRED.because(spec, e.getMessage());
    } catch (BadInputException | MappingException | LoadException e) {
      return ExitCode.BAD_ARGUMENTS.because(spec, e.getMessage());
    } catch (AlreadyRunningException e) {
      return ExitCode.RUNNING_ELSEWHERE.because(spec, e.getMessage());
    } catch (StoreException e) {
      return ExitCode.FAILED.because(spec, e.getMessage());
    } catch (IOException e) {
      boolean away = connecting || isNetwork(e);
      return (away ? ExitCode.NO_CONNECTION : ExitCode.FAILED)
          .because(
              spec,
              away
                  ? "%s cannot be reached: %s; check the network, and 'environment' and 'authority' in the configuration"
                      .formatted(options.environment(), words(e))
                  : words(e));
    }
  }

  private Path state(Configuration configuration) {
    return state == null ? configuration.state() : state;
  }

  /**
   * Before signing in: whoever only comes second need not trouble the service. Returns what earlier
   * loads have learned of it.
   */
  private Map<String, QuotaProfile> checkFree(DataverseOptions options, Path kept)
      throws AlreadyRunningException {
    if (dryRun || Files.notExists(kept)) {
      return Map.of();
    }
    String environment = options.environment().toString();
    try (Store store = Store.open(kept, time)) {
      Load.checkFree(environment, table, file, store, time);
      return QuotaMemory.of(
          store, environment, options.identities().stream().map(Identity::name).toList());
    }
  }

  private int load(
      LoadRequest request, DataverseClient client, Configuration configuration, PolicyPlan plan)
      throws LoadException, MappingException, IOException, InterruptedException {
    try (Store store = Store.open(state(configuration), time)) {
      Load load = new Load(request, client.bulk(), store, time);
      try (Termination termination = PoliteStop.watch(load::cancel, spec.commandLine().getErr())) {
        prompt("policy " + plan.sentence());
        LoadResult result = run(load, client, store, request.environment());
        if (output.json()) {
          LoadJson.print(spec.commandLine().getOut(), request, result, plan);
        } else {
          LoadScreen.summary(spec.commandLine().getOut(), result);
        }
        int code = explain(result);
        termination.over(code);
        return code;
      }
    }
  }

  /** What it learns of the service's limits is kept for the next load, also if it is stopped. */
  private LoadResult run(Load load, DataverseClient client, Store store, String environment)
      throws LoadException, MappingException, IOException, InterruptedException {
    QuotaMemory memory = QuotaMemory.keep(store, time, environment, client::learned);
    try {
      return new LoadScreen(
              load, client.gate(), spec.commandLine().getErr(), LiveLine.onTerminal(), time)
          .run(System.in);
    } finally {
      memory.close();
    }
  }

  private int rehearse(LoadRequest request) throws IOException, MappingException {
    DryRun.Result result = DryRun.of(request, System.in, time);
    if (output.json()) {
      LoadJson.print(spec.commandLine().getOut(), request, result);
    } else {
      LoadScreen.summary(spec.commandLine().getOut(), result);
    }
    return result.rejected() > 0 ? ExitCode.REJECTED_RECORDS.number() : ExitCode.DONE.number();
  }

  private int explain(LoadResult result) {
    ExitCode code = ExitCode.of(result.outcome());
    return switch (result.outcome()) {
      case Outcome.Completed completed -> code.number();
      case Outcome.CompletedWithRejections rejections -> code.number();
      case Outcome.CompletedWithGaps gaps ->
          throw new IllegalStateException("a load has no gaps: what is left of it is deferred");
      case Outcome.Cancelled cancelled ->
          code.because(spec, "stopped; the same command goes on from here: " + again());
      case Outcome.Deferred deferred ->
          code.because(
              spec,
              "deferred, because %s (%s); the same command goes on from here: %s"
                  .formatted(deferred.reason().words(), deferred.detail(), again()));
      case Outcome.Failed failed when failed.reason() == Reason.Failure.TOO_MANY_REJECTS ->
          code.because(spec, tooManyRejects(failed.detail(), result));
      case Outcome.Failed failed ->
          code.because(
              spec,
              "failed, because %s; once that is mended, the same command goes on: %s"
                  .formatted(
                      // What is wrong with the input says so itself.
                      failed.reason() == Reason.Failure.INVALID
                          ? failed.detail()
                          : "%s (%s)".formatted(failed.reason().words(), failed.detail()),
                      again()));
      case Outcome.AlreadyRunning running -> code.because(spec, "another process is at this load");
    };
  }

  private String tooManyRejects(String detail, LoadResult result) {
    return "stopped, because too many records were rejected (%s)%s; once the cause is mended, the same command goes on with the rest, and a higher --max-rejects (now %s) does so at once: %s"
        .formatted(
            detail,
            result.rejects().map(file -> "; they are in " + file).orElse(""),
            sending.maxRejects().text(),
            again());
  }

  private String again() {
    return spec.root().commandLine().getParseResult().originalArgs().stream()
        .filter(argument -> !argument.equals("--restart"))
        .map(ShellWord::quoted)
        .collect(Collectors.joining(" ", "sluice ", ""));
  }

  /** What a person should know at once, such as how to sign in. */
  private void prompt(String message) {
    spec.commandLine().getErr().println(message);
    spec.commandLine().getErr().flush();
  }

  private static ExitCode exitCode(Fault fault) {
    return switch (fault) {
      case Fault.Authentication refused -> ExitCode.NOT_SIGNED_IN;
      case Fault.UnknownOutcome unknown -> ExitCode.NO_CONNECTION;
      case Fault.NotDataverse foreign -> ExitCode.NO_CONNECTION;
      // The name of the table is all that was asked with.
      case Fault.NotFound missing -> ExitCode.BAD_ARGUMENTS;
      case Fault.Unsupported unsupported -> ExitCode.BAD_ARGUMENTS;
      case Fault.Validation invalid -> ExitCode.BAD_ARGUMENTS;
      default -> ExitCode.FAILED;
    };
  }

  /** What a failure says; the JDK's say nothing at times, and their names do. */
  private static String words(IOException failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
  }

  private static boolean isNetwork(IOException e) {
    return e instanceof SocketException
        || e instanceof HttpTimeoutException
        || e instanceof UnknownHostException
        || e instanceof SSLException
        || e.getCause() instanceof UnresolvedAddressException;
  }
}

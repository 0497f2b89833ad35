package dev.sluice.cli;

import dev.sluice.cli.config.Configuration;
import dev.sluice.config.ConfigurationException;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.quota.QuotaProfile;
import dev.sluice.dataverse.DataverseClient;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.Identity;
import dev.sluice.dataverse.bulk.BulkOptions;
import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.service.FaultException;
import dev.sluice.dataverse.signin.SignInException;
import dev.sluice.dataverse.table.Table;
import dev.sluice.gate.RefusedException;
import dev.sluice.gate.time.Termination;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.HttpTransport;
import dev.sluice.gate.words.ShellWord;
import dev.sluice.load.input.BadInputException;
import dev.sluice.load.input.InputOptions;
import dev.sluice.load.mapping.MappingException;
import dev.sluice.load.mapping.MappingOptions;
import dev.sluice.load.run.AlreadyLoadedException;
import dev.sluice.load.run.AlreadyRunningException;
import dev.sluice.load.run.DryRun;
import dev.sluice.load.run.Load;
import dev.sluice.load.run.LoadException;
import dev.sluice.load.run.LoadIdentity;
import dev.sluice.load.run.LoadRequest;
import dev.sluice.load.run.LoadResult;
import dev.sluice.load.run.RejectLimit;
import dev.sluice.runs.lease.LeaseLostException;
import dev.sluice.runs.pressure.QuotaMemory;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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

  @Option(names = "--again", description = "Loads a file once more that was loaded before.")
  private boolean again;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "By which the load is known again (default: by the file's content).")
  private @Nullable String name;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private ReportOption report;

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
  private boolean printed;

  @Override
  public Integer call() throws ConfigurationException, InterruptedException {
    try {
      return run();
    } catch (ParameterException | ConfigurationException e) { // the command line tells people
      tellPrograms(ExitCode.BAD_ARGUMENTS, String.valueOf(e.getMessage()));
      throw e;
    } catch (RuntimeException | Error e) {
      tellPrograms(ExitCode.FAILED, String.valueOf(e));
      throw e;
    }
  }

  private int run() throws ConfigurationException, InterruptedException {
    report.check();
    InputOptions input = rows.input();
    MappingOptions mappingOptions = rows.mappingOptions();
    Optional<UUID> caller = sending.caller();
    List<UUID> steps = sending.steps();
    BulkOptions sized = sending.batches();
    Envelope envelope = limits.over(Envelope.UNBOUNDED);
    RejectLimit maxRejects = sending.maxRejects();
    if (name != null && (name.isBlank() || name.lines().count() > 1)) {
      throw new ParameterException(
          spec.commandLine(), "--name is '%s', but must be some text on one line".formatted(name));
    }
    Configuration configuration = config.read();
    BulkOptions bulk = sized.withMessage(sending.message(configuration.message(), steps));
    DataverseOptions configured = configuration.dataverse();
    DataverseOptions options = caller.map(configured::withCaller).orElse(configured);
    try {
      LoadRequest request =
          new LoadRequest(
              options.environment().toString(),
              new Table(table, "", "", false, List.of(), List.of(), Set.of()),
              operation,
              file,
              input,
              rows.mapping(),
              mappingOptions,
              bulk,
              envelope,
              maxRejects,
              restart,
              Optional.ofNullable(name),
              again,
              options.caller());
      LoadIdentity identity = dryRun ? null : LoadIdentity.of(request);
      DataverseOptions tuned =
          options
              .withAdaptiveRate(sending.rate(options.adaptiveRate()))
              .withLearned(
                  identity == null
                      ? Map.of()
                      : check(request, identity, options, state(configuration)));
      connecting = true;
      try (DataverseClient client = DataverseClient.connect(tuned, this::prompt)) {
        LoadRequest described = request.into(client.table(table));
        connecting = false;
        PolicyPlan plan = PolicyPlan.of(tuned, client.identities().values());
        return identity == null
            ? rehearse(described)
            : load(described, identity, client, configuration, plan, options.limits());
      }
    } catch (SignInException e) {
      return end(ExitCode.NOT_SIGNED_IN, e.getMessage());
    } catch (FaultException e) {
      return end(
          ExitCode.of(e.fault()),
          e.fault() instanceof Fault.UnknownOutcome || e.fault() instanceof Fault.NotDataverse
              ? "%s does not answer as a Dataverse environment does (%s); check 'environment' in the configuration, or try again later"
                  .formatted(options.environment(), e.fault().message())
              : e.getMessage());
    } catch (RefusedException e) {
      return end(ExitCode.DEFERRED, e.getMessage());
    } catch (BadInputException
        | MappingException
        | LoadException
        | HttpTransport.RetriesEnabledException e) {
      return end(ExitCode.BAD_ARGUMENTS, e.getMessage());
    } catch (AlreadyLoadedException e) {
      if (output.json()) {
        LoadJson.print(spec.commandLine().getOut(), table, operation, file, e);
      }
      return ExitCode.of(e.outcome()).because(spec, e.getMessage());
    } catch (AlreadyRunningException | LeaseLostException e) {
      return end(ExitCode.RUNNING_ELSEWHERE, e.getMessage());
    } catch (StoreException e) {
      return end(ExitCode.FAILED, e.getMessage());
    } catch (IOException e) {
      return end(
          connecting ? ExitCode.NO_CONNECTION : ExitCode.FAILED,
          connecting
              ? "%s cannot be reached: %s; check the network, and 'environment' and 'authority' in the configuration"
                  .formatted(options.environment(), words(e))
              : words(e));
    }
  }

  /** Says why it could not begin. */
  private int end(ExitCode code, @Nullable String message) {
    tellPrograms(code, String.valueOf(message));
    return code.because(spec, message);
  }

  private void tellPrograms(ExitCode code, String message) {
    if (output.json() && !printed) {
      LoadJson.print(spec.commandLine().getOut(), table, operation, file, code, message);
      printed = true;
    }
  }

  /**
   * The same if the command line cannot be read, so that nothing is known of what it asks for.
   *
   * @param arguments as they were typed
   */
  void tellPrograms(List<String> arguments, String message) {
    int form = arguments.indexOf("--output") + 1;
    boolean json =
        arguments.contains("--output=json")
            || (form > 0 && form < arguments.size() && arguments.get(form).equals("json"));
    if (json && !printed) {
      LoadJson.print(spec.commandLine().getOut(), message);
      printed = true;
    }
  }

  private Path state(Configuration configuration) {
    return state == null ? configuration.state() : state;
  }

  /**
   * Before signing in: whoever only comes second need not trouble the service. Returns what earlier
   * loads have learned of it.
   */
  private Map<String, QuotaProfile> check(
      LoadRequest request, LoadIdentity identity, DataverseOptions options, Path kept)
      throws LoadException {
    if (Files.notExists(kept)) {
      return Map.of();
    }
    try (Store store = Store.open(kept, time)) {
      Load.check(request, identity, store, time);
      return QuotaMemory.of(
          store, request.environment(), options.identities().stream().map(Identity::name).toList());
    }
  }

  private int load(
      LoadRequest request,
      LoadIdentity identity,
      DataverseClient client,
      Configuration configuration,
      PolicyPlan plan,
      QuotaOptions allowed)
      throws LoadException, MappingException, IOException, InterruptedException {
    try (Store store = Store.open(state(configuration), time)) {
      Load load = new Load(request, identity, client.bulk(), store, time);
      try (Termination termination = PoliteStop.watch(load::cancel, spec.commandLine().getErr())) {
        prompt("policy " + plan.sentence());
        LoadScreen screen =
            new LoadScreen(
                load,
                client.gate(),
                allowed,
                spec.commandLine().getErr(),
                LiveLine.onTerminal(),
                time);
        LoadResult result = run(screen, client, store, request.environment());
        printed = true;
        if (output.json()) {
          LoadJson.print(spec.commandLine().getOut(), request, result, plan);
        } else {
          LoadScreen.summary(spec.commandLine().getOut(), result);
        }
        report.write(
            request, result, new LoadAdvice(screen.history(), client.identities().size(), allowed));
        int code = explain(result);
        termination.over(code);
        return code;
      }
    }
  }

  /** What it learns of the service's limits is kept for the next load, also if it is stopped. */
  private LoadResult run(LoadScreen screen, DataverseClient client, Store store, String environment)
      throws LoadException, MappingException, IOException, InterruptedException {
    QuotaMemory memory = QuotaMemory.keep(store, time, environment, client::learned);
    try {
      return screen.run(System.in);
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
                  .formatted(words(failed), again()));
      case Outcome.AlreadyRunning running ->
          code.because(
              spec,
              "another process has taken this load over, because this one stood still for too long;"
                  + " the load goes on there, and nothing is lost");
    };
  }

  private static String words(Outcome.Failed failed) {
    return switch (failed.reason()) {
      case INVALID -> failed.detail(); // what is wrong with the input says so itself
      case UNEXPECTED_CONTENT ->
          "something answers in the place of Dataverse (%s)".formatted(failed.detail());
      default -> "%s (%s)".formatted(failed.reason().words(), failed.detail());
    };
  }

  private String tooManyRejects(String detail, LoadResult result) {
    return "stopped, because too many records were rejected (%s)%s; once the cause is mended in the service, the same command goes on with the rest, and a higher --max-rejects (now %s) does so at once: %s; if you mend the file or the mapping instead, %s"
        .formatted(
            detail,
            result.rejects().map(file -> "; they are in " + file).orElse(""),
            sending.maxRejects().text(),
            again(),
            result.progress().done() == 0
                ? "it begins anew"
                : "add --restart (rows that are in stay in)");
  }

  private String again() {
    return spec.root().commandLine().getParseResult().originalArgs().stream()
        .filter(argument -> !argument.equals("--restart") && !argument.equals("--again"))
        .map(ShellWord::quoted)
        .collect(Collectors.joining(" ", "sluice ", ""));
  }

  /** What a person should know at once, such as how to sign in. */
  private void prompt(String message) {
    spec.commandLine().getErr().println(message);
    spec.commandLine().getErr().flush();
  }

  /** What a failure says; the JDK's say nothing at times, and their names do. */
  private static String words(IOException failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
  }
}

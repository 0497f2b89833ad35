package dev.sluice.cli;

import dev.sluice.cli.ProbeReport.Contact;
import dev.sluice.config.ConfigurationException;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.dataverse.DataverseClient;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.Identity;
import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.service.Calls;
import dev.sluice.dataverse.service.FaultException;
import dev.sluice.dataverse.service.Service;
import dev.sluice.dataverse.signin.SignInException;
import dev.sluice.dataverse.table.Table;
import dev.sluice.dataverse.table.TableReader;
import dev.sluice.dataverse.webapi.WhoAmI;
import dev.sluice.gate.Gate;
import dev.sluice.gate.GateBuilder;
import dev.sluice.gate.RefusedException;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.HttpTransport;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code sluice probe}: who gets in, what a table takes, how long a load lasts. */
@Command(
    name = "probe",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    sortOptions = false,
    description = {
      "Signs in, looks round, and says what to expect.",
      "",
      "Signs every identity of the configuration in and asks who it is and how many",
      "requests at once the service recommends. With --table, asks what that table is",
      "like: columns, keys, bulk messages; --write-mapping makes a mapping for 'sluice",
      "load' of it. Ends with the policy in force, how long a load takes at best and",
      "which limit keeps it from being faster. Writes nothing into the environment.",
      ""
    },
    footer = {
      "",
      "The plan follows from the documented limits, which hold for each user on each",
      "web server: 6,000 requests and 1,200 s of execution time in any 300 s, and 52",
      "requests at once. How many servers there are, and how long a batch takes, differ",
      "from environment to environment: the summary of a load tells, then give it here.",
      "",
      "Exit codes: 0 everybody signed in, 3 the configuration, an option or the table is",
      "wrong, 4 the environment or its sign-in service cannot be reached, 5 an identity",
      "is not let in, 2 anything else.",
      "",
      "Examples:",
      "  sluice probe",
      "  sluice probe --table account --rows 5000000",
      "  sluice probe --table account --write-mapping a.yaml --file accounts.csv",
      "  sluice probe --rows 5000000 --servers 4 --seconds-per-batch 2.5 --output json"
    })
final class Probe implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec spec;

  @Mixin private final ConfigFile config = new ConfigFile();

  @Option(
      names = "--table",
      paramLabel = "TABLE",
      description = "The logical name of a table to look at, such as account.")
  private @Nullable String table;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private MappingOutput mapping;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "How many rows to plan for (default: 1000000).")
  private long rows;

  @Option(
      names = "--servers",
      paramLabel = "N",
      description =
          "Web servers that count by themselves (default: as configured, or else 1 assumed).")
  private @Nullable Integer servers;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      defaultValue = "100",
      description = "Rows in one request (default: 100).")
  private int batchSize;

  @Option(
      names = "--seconds-per-batch",
      paramLabel = "SECONDS",
      defaultValue = "1.0",
      description = "How long the service takes for one request (default: 1.0).")
  private double secondsPerBatch;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Override
  public Integer call() throws ConfigurationException, InterruptedException {
    DataverseOptions options = config.read().dataverse();
    mapping.check(table != null);
    CapacityPlan unused = plan(options, 1, 1); // refuses bad options before anybody signs in
    Time time = Time.real();
    try (HttpTransport transport = new HttpTransport(options.timeouts().connect(), time)) {
      Service service = DataverseClient.service(options, transport, time, this::prompt);
      List<Contact> contacts = new ArrayList<>();
      for (Identity identity : options.identities()) {
        contacts.add(contact(service, identity.name(), time));
      }
      List<WhoAmI> known = new ArrayList<>();
      for (Contact contact : contacts) {
        WhoAmI who = contact.who();
        if (who != null) {
          known.add(who);
        }
      }
      Table described =
          table == null || known.isEmpty() ? null : describe(service, table, contacts, time);
      boolean assumed = servers == null && options.limits().servers().isEmpty();
      int recommended = known.stream().mapToInt(WhoAmI::recommendedDegree).min().orElse(1);
      int code =
          print(
              new ProbeReport(
                  options.environment(),
                  contacts,
                  described,
                  known.isEmpty() ? null : PolicyPlan.of(options, known),
                  known.isEmpty() ? null : plan(options, known.size(), recommended),
                  assumed));
      return described == null || mapping.write(described) ? code : ExitCode.FAILED.number();
    } catch (FaultException e) {
      complain(String.valueOf(e.getMessage()));
      return switch (e.fault()) {
        // The name of the table is all that was asked with.
        case Fault.NotFound f -> ExitCode.BAD_ARGUMENTS.number();
        case Fault.Unsupported f -> ExitCode.BAD_ARGUMENTS.number();
        case Fault.Validation f -> ExitCode.BAD_ARGUMENTS.number();
        default -> ExitCode.FAILED.number();
      };
    } catch (IOException e) {
      complain(said(e));
      return ExitCode.NO_CONNECTION.number();
    } catch (RefusedException e) {
      complain(String.valueOf(e.getMessage()));
      return ExitCode.FAILED.number();
    }
  }

  /** What a person has to do to sign in. */
  private void prompt(String message) {
    spec.commandLine().getErr().println(message);
    spec.commandLine().getErr().flush();
  }

  private static Contact contact(Service service, String name, Time time)
      throws InterruptedException {
    try {
      return new Contact(name, WhoAmI.ask(service, name, time), ExitCode.DONE, "");
    } catch (FaultException e) {
      boolean stranger =
          e.fault() instanceof Fault.Authentication || e.fault() instanceof Fault.Privilege;
      return new Contact(
          name, null, stranger ? ExitCode.NOT_SIGNED_IN : ExitCode.FAILED, e.fault().message());
    } catch (SignInException e) {
      return new Contact(name, null, ExitCode.NOT_SIGNED_IN, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return new Contact(name, null, ExitCode.NO_CONNECTION, said(e));
    } catch (RefusedException e) {
      return new Contact(name, null, ExitCode.FAILED, String.valueOf(e.getMessage()));
    }
  }

  /** What a failure says; the JDK's say nothing at times, and their names do. */
  private static String said(IOException failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
  }

  private static Table describe(Service service, String table, List<Contact> contacts, Time time)
      throws IOException, InterruptedException {
    GateBuilder lanes = Gate.builder().time(time);
    for (Contact contact : contacts) {
      if (contact.who() != null) {
        lanes.lane(contact.name(), LaneOptions.fixed(1));
      }
    }
    try (Gate gate = lanes.build()) {
      return new TableReader(Calls.through(gate, service)).read(table);
    }
  }

  private CapacityPlan plan(DataverseOptions options, int users, int recommended) {
    try {
      return new CapacityPlan(
          rows,
          batchSize,
          secondsPerBatch,
          users,
          servers != null ? servers : options.limits().servers().orElse(1),
          recommended,
          options.limits());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }

  private int print(ProbeReport report) {
    PrintWriter out = spec.commandLine().getOut();
    if (output.json()) {
      out.println(report.json());
      out.flush();
    } else {
      report.print(out);
    }
    return report.end().number();
  }

  private void complain(String problem) {
    spec.commandLine().getErr().printf("%s: %s%n", spec.qualifiedName(), problem);
  }
}

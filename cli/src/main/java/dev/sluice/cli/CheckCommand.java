package dev.sluice.cli;

import dev.sluice.collect.yaml.Checks;
import dev.sluice.collect.yaml.ConnectorFile;
import dev.sluice.config.ConfigurationException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The command {@code sluice check}: looks a connector over, and asks nobody. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    sortOptions = false,
    description = {
      "Looks a connector over and runs its checks, offline.",
      "",
      "Every mistake is told with its line, and every check plays the answers that the",
      "file scripts. Nobody is asked.",
      ""
    })
final class CheckCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "CONNECTOR", description = "The connector, a YAML file.")
  @SuppressWarnings("NullAway.Init") // required
  private Path file;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Override
  public Integer call() {
    Path folder = file.toAbsolutePath().getParent();
    ConnectorFile connector;
    List<Checks.Result> results;
    try {
      connector = ConnectorFile.read(file);
      results = Checks.run(connector, folder == null ? Path.of("") : folder);
    } catch (ConfigurationException e) {
      print(e.mistakes());
      return ExitCode.BAD_ARGUMENTS.number();
    }
    print(connector, results);
    return results.stream().allMatch(Checks.Result::passed)
        ? ExitCode.DONE.number()
        : ExitCode.FAILED.number();
  }

  private void print(List<String> mistakes) {
    if (output.json()) {
      ObjectNode json = JsonMapper.shared().createObjectNode();
      json.put("file", file.toString());
      ArrayNode all = json.putArray("mistakes");
      mistakes.forEach(all::add);
      spec.commandLine().getOut().println(json);
      spec.commandLine().getOut().flush();
    } else {
      spec.commandLine().getErr().println(String.join(System.lineSeparator(), mistakes));
      spec.commandLine().getErr().flush();
    }
  }

  private void print(ConnectorFile connector, List<Checks.Result> results) {
    PrintWriter out = spec.commandLine().getOut();
    if (output.json()) {
      ObjectNode json = JsonMapper.shared().createObjectNode();
      json.put("file", file.toString());
      json.put("connector", connector.name());
      ArrayNode unused = json.putArray("mistakes");
      ArrayNode checks = json.putArray("checks");
      for (Checks.Result result : results) {
        ObjectNode check = checks.addObject();
        check.put("name", result.name());
        check.put("passed", result.passed());
        ArrayNode problems = check.putArray("problems");
        result.problems().forEach(problems::add);
      }
      out.println(json);
    } else {
      for (Checks.Result result : results) {
        out.printf("%s  %s%n", result.passed() ? "passed" : "FAILED", result.name());
        result.problems().forEach(problem -> out.printf("        %s%n", problem));
      }
      long passed = results.stream().filter(Checks.Result::passed).count();
      out.printf(
          "%s: no mistakes in the file; %,d of %,d checks passed%n",
          connector.name(), passed, results.size());
    }
    out.flush();
  }
}

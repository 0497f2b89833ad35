package dev.sluice.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** How a command ended, and what it said. */
public record Ran(int code, String out, String err) {

  /** Runs a command in this process. */
  public static Ran of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Sluice.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    return new Ran(code, out.toString(), err.toString());
  }

  /** The commands and their options. */
  public static CommandLine line() {
    return Sluice.commandLine();
  }

  /** A command as its user runs it: a process of its own, not started yet. */
  public static ProcessBuilder process(String... arguments) {
    return process(Sluice.class, arguments);
  }

  /** A program that runs as commands do: a process of its own, not started yet. */
  static ProcessBuilder process(Class<?> program, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }

  /** What it printed, which is one object on one line. */
  public JsonNode json() {
    if (out.lines().count() != 1) {
      throw new AssertionError("not one line: " + out + err);
    }
    return JsonMapper.shared().readTree(out);
  }
}

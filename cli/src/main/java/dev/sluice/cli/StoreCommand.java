package dev.sluice.cli;

import dev.sluice.collect.setup.StatePlace;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A command that looks into the store, or changes what is there, and asks no provider. */
abstract class StoreCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec spec;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private StateOption state;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @SuppressWarnings("NullAway.Init") // set before anything is called with a store
  private NamedCommands commands;

  final Time time = Time.real();

  @Override
  public final Integer call() {
    StatePlace place = state.here();
    if (place instanceof StatePlace.File(Path file) && Files.notExists(file)) {
      return end(
          ExitCode.BAD_ARGUMENTS,
          "there is no %s; go to the folder of the collection, or name the file with --state"
              .formatted(file));
    }
    commands = new NamedCommands(StateOption.toFind(place));
    try (Store store = state.open(place, time)) {
      return call(store);
    } catch (StoreException e) {
      return end(ExitCode.FAILED, String.valueOf(e.getMessage()));
    }
  }

  /** Does it, and says how it ended. */
  abstract int call(Store store);

  /** Whether the answer is for programs. */
  final boolean json() {
    return output.json();
  }

  /** A message in which the commands that it names find this store, too. */
  final String pasteable(String message) {
    return commands.in(message);
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  static ObjectNode object() {
    return JsonMapper.shared().createObjectNode();
  }

  /** Prints the answer for programs. */
  final int answer(ObjectNode json) {
    return answer(json, ExitCode.DONE);
  }

  /** The same for a command whose code tells something, too. */
  final int answer(ObjectNode json, ExitCode code) {
    out().println(json);
    out().flush();
    return code.number();
  }

  final int end(ExitCode code, String message) {
    return code.because(spec, message);
  }
}

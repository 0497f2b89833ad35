package dev.sluice.cli;

import dev.sluice.collect.setup.StatePlace;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.words.ShellWord;
import dev.sluice.runs.store.DatabaseAddress;
import dev.sluice.runs.store.Login;
import dev.sluice.runs.store.Store;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option {@code --state}, for commands that need no configuration. */
final class StateOption {
  private static final Path HERE = Path.of("");

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec command;

  @Option(
      names = "--state",
      paramLabel = "PLACE",
      description = {
        "Where runs are kept, a file or a database:",
        "postgresql://server/database",
        "(default: what the collection's file says, if one",
        "is named, or .sluice/state.db)."
      })
  private @Nullable String named;

  /** The one that was named, or else another. */
  StatePlace or(StatePlace other) {
    if (named == null) {
      return other;
    }
    try {
      return StatePlace.of(named, HERE);
    } catch (IllegalArgumentException e) {
      throw wrong("--state cannot be used: " + e.getMessage());
    }
  }

  /** The one that was named, or the usual one in this folder. */
  StatePlace here() {
    return or(StatePlace.usual(HERE));
  }

  /**
   * Opens it; a database with the login that the environment gives.
   *
   * @throws dev.sluice.runs.store.StoreException if it cannot be opened
   * @throws ParameterException if the environment names a password that is not there
   */
  Store open(StatePlace place, Time time) {
    return switch (place) {
      case StatePlace.File(Path file) -> Store.open(file, time);
      case StatePlace.Database(DatabaseAddress address) -> Store.open(address, login(), time);
    };
  }

  private Login login() {
    try {
      return StateLogin.from(System.getenv());
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage());
    }
  }

  private ParameterException wrong(@Nullable String message) {
    return new ParameterException(command.commandLine(), message);
  }

  /** What other commands must be told to find this state from here; empty if they find it. */
  static String toFind(StatePlace place) {
    return switch (place) {
      case StatePlace.File(Path file)
          when new StatePlace.File(file.toAbsolutePath().normalize())
              .equals(StatePlace.usual(HERE.toAbsolutePath())) ->
          "";
      case StatePlace.File(Path file) -> " --state " + ShellWord.quoted(file.toString());
      case StatePlace.Database(DatabaseAddress address) ->
          " --state " + ShellWord.quoted(whole(address));
    };
  }

  /** With its settings, which may be needed to get there. */
  private static String whole(DatabaseAddress address) {
    String settings =
        Stream.of("currentSchema=" + address.schema(), address.settings())
            .filter(setting -> !setting.isEmpty())
            .filter(setting -> !setting.equals("currentSchema=" + DatabaseAddress.SCHEMA))
            .collect(Collectors.joining("&"));
    return "postgresql://%s/%s%s"
        .formatted(address.servers(), address.database(), settings.isEmpty() ? "" : "?" + settings);
  }
}

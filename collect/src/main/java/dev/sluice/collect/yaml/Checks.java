package dev.sluice.collect.yaml;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceRead;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.collect.yaml.check.CheckRule;
import dev.sluice.collect.yaml.check.ScriptedProvider;
import dev.sluice.collect.yaml.document.ConnectorFileException;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs the checks of a connector file: offline, in simulated time, over the stream alone. Waits
 * take no time, and equal files give equal results.
 */
public final class Checks {
  private static final long SEED = 1;
  private static final Transport NOBODY =
      request -> {
        throw new IOException("checks ask nobody");
      };

  private Checks() {}

  /**
   * What came of one.
   *
   * @param problems what was otherwise than expected, each a sentence; empty if nothing was
   */
  public record Result(String name, List<String> problems) {
    public Result {
      problems = List.copyOf(problems);
    }

    /** Whether everything came as expected. */
    public boolean passed() {
      return problems.isEmpty();
    }
  }

  /**
   * Runs all of a file, in order.
   *
   * @param folder where the bodies of answers lie
   */
  public static List<Result> run(ConnectorFile file, Path folder) {
    List<Result> results = new ArrayList<>();
    for (CheckRule check : file.checks()) {
      List<String> problems = new ArrayList<>();
      SimulatedTime.run(SEED, time -> problems.addAll(run(file, check, folder, time)));
      results.add(new Result(check.name(), problems));
    }
    return results;
  }

  private static List<String> run(ConnectorFile file, CheckRule check, Path folder, Time time)
      throws InterruptedException {
    Connector connector;
    try {
      connector = file.bind(file.madeUp(check.config()), NOBODY, time);
    } catch (ConnectorFileException e) {
      return e.mistakes();
    }
    ListStream stream =
        connector.streams().stream()
            .filter(each -> each.shape().name().equals(check.stream()))
            .findFirst()
            .orElseThrow();
    ScriptedProvider provider =
        new ScriptedProvider(check.script(), folder, connector.provider().signals(), time);
    Counted records = new Counted();
    Optional<String> cursor = check.cursor();
    Optional<String> horizon = stream.horizon(time.instant());
    Optional<String> failure = Optional.empty();
    try {
      SliceEnd end;
      do {
        SliceStart start =
            new SliceStart(
                stream.splits().getFirst(), check.mode(), cursor, horizon, time.instant(), 0);
        end = SliceRead.of(stream, start, provider, records).end();
        records.keep();
        cursor = end.cursor();
      } while (end.more());
    } catch (ProviderException refused) {
      failure = Optional.of(refused.reason().wireName());
    } catch (IOException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
    CheckRule.Expected expected = check.expected();
    List<String> problems = new ArrayList<>();
    compare(problems, "records", expected.records(), Optional.of(records.kept));
    compare(problems, "requests", expected.requests(), Optional.of(provider.requests()));
    compare(problems, "throttled", expected.throttled(), Optional.of(provider.throttled()));
    compare(problems, "cursor", expected.cursor(), cursor);
    if (!failure.equals(expected.fails())) {
      problems.add(
          "fails is %s, but %s was expected"
              .formatted(failure.orElse("not so"), expected.fails().orElse("no failure")));
    }
    if (failure.isEmpty() && provider.left() > 0) {
      problems.add("%d answers of the script were not asked for".formatted(provider.left()));
    }
    return problems;
  }

  private static <T> void compare(
      List<String> problems, String what, Optional<T> expected, Optional<T> found) {
    if (expected.isPresent() && !expected.equals(found)) {
      problems.add(
          "%s is %s, but %s was expected"
              .formatted(what, found.map(Object::toString).orElse("not there"), expected.get()));
    }
  }

  /** How many records came. */
  private static final class Counted implements SliceRead.Draft {
    private int kept;
    private int drafted;

    @Override
    public void accept(CollectedRecord record) {
      drafted++;
    }

    @Override
    public void forget() {
      drafted = 0;
    }

    void keep() {
      kept += drafted;
      drafted = 0;
    }
  }
}

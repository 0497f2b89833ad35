package dev.sluice.cli;

import dev.sluice.runs.gap.DetailGap;
import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.gap.GapCount;
import dev.sluice.runs.gap.StreamGap;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The command {@code sluice gaps}: what is known to be missing. */
@Command(
    name = "gaps",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    sortOptions = false,
    subcommands = {GapsCommand.Explain.class, GapsCommand.Requeue.class},
    description = {
      "Lists what is known to be missing, why, and when it is tried again.",
      "",
      "Nobody has to do anything about a gap that is pending: the next run of its",
      "collection takes it up.",
      ""
    })
final class GapsCommand extends StoreCommand {

  @Override
  int call(Store store) {
    List<StreamGap> streams = store.read(StreamGaps::all);
    List<GapCount> details =
        store.read(DetailGaps::counts).stream()
            .filter(count -> count.state() != DetailGap.State.RECOVERED)
            .toList();
    if (json()) {
      ObjectNode json = object();
      ArrayNode rests = json.putArray("streams");
      streams.forEach(gap -> put(rests.addObject(), gap));
      ArrayNode counts = json.putArray("details");
      details.forEach(count -> put(counts.addObject(), count));
      return answer(json);
    }
    Table rests = new Table("COLLECTION", "REST OF", "MISSING SINCE", "TRIED AGAIN", "WHY");
    for (StreamGap gap : streams) {
      rests.row(
          gap.track().collection(),
          gap.track().toString(),
          Times.at(gap.since()),
          pasteable(NextTry.words(gap)),
          gap.reason().words());
    }
    Table counts = new Table("COLLECTION", "DETAILS", "STATE", "HOW MANY", "OLDEST SINCE");
    for (GapCount count : details) {
      counts.row(
          count.collection(),
          count.stream(),
          count.state().wireName(),
          "%,d".formatted(count.count()),
          Times.at(count.oldest()));
    }
    if (rests.isEmpty() && counts.isEmpty()) {
      out().println("nothing is known to be missing");
      out().flush();
      return ExitCode.DONE.number();
    }
    if (!rests.isEmpty()) {
      rests.print(out());
    }
    if (!counts.isEmpty()) {
      counts.print(out());
    }
    return ExitCode.DONE.number();
  }

  private static void put(ObjectNode json, StreamGap gap) {
    json.put("collection", gap.track().collection());
    json.put("stream", gap.track().stream());
    json.put("split", gap.track().split());
    json.put("mode", gap.track().mode().wireName());
    gap.cursor().ifPresent(cursor -> json.put("cursor", cursor));
    json.put("reason", gap.reason().wireName());
    json.put("planned", gap.reason() instanceof Reason.Planned);
    json.put("since", gap.since().toString());
    json.put("needsSomebody", NextTry.needsSomebody(gap.reason()));
    NextTry.time(gap).ifPresent(due -> json.put("due", due.toString()));
  }

  private static void put(ObjectNode json, GapCount count) {
    json.put("collection", count.collection());
    json.put("stream", count.stream());
    json.put("state", count.state().wireName());
    json.put("count", count.count());
    json.put("oldest", count.oldest().toString());
  }

  /** Why single details are missing. */
  @Command(
      name = "explain",
      mixinStandardHelpOptions = true,
      versionProvider = BuildVersion.class,
      sortOptions = false,
      description = {"Lists single records whose details are missing, and why.", ""})
  static final class Explain extends CollectionCommand {
    private static final List<DetailGap.State> MISSING =
        List.of(
            DetailGap.State.QUARANTINED,
            DetailGap.State.PENDING,
            DetailGap.State.LEASED,
            DetailGap.State.GONE);

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "50",
        description = "How many at most (default: 50).")
    private int limit;

    @Override
    int call(Store store, String collection) {
      if (limit < 1) {
        return end(ExitCode.BAD_ARGUMENTS, "--limit is %d, but must be 1 or more".formatted(limit));
      }
      List<DetailGap> gaps = store.read(transaction -> missing(transaction, collection));
      if (json()) {
        ObjectNode json = object();
        ArrayNode all = json.putArray("gaps");
        gaps.forEach(
            gap -> {
              ObjectNode each = all.addObject();
              each.put("stream", gap.stream());
              each.put("parentStream", gap.parentStream());
              each.put("key", gap.recordKey());
              each.put("state", gap.state().wireName());
              each.put("reason", gap.reason());
              each.put("tries", gap.tries());
              each.put("failures", gap.failures());
              each.put("firstSeen", gap.firstSeen().toString());
              if (gap.state() == DetailGap.State.PENDING) {
                each.put("due", gap.due().toString());
              }
            });
        return answer(json);
      }
      if (gaps.isEmpty()) {
        out()
            .printf(
                "no details of %s are known to be missing; %s lists what else is%n",
                collection, pasteable("sluice gaps"));
        out().flush();
        return ExitCode.DONE.number();
      }
      Instant now = time.instant();
      Table table =
          new Table("DETAILS", "OF", "KEY", "STATE", "WHY", "TRIES", "FAILURES", "TRIED AGAIN");
      gaps.forEach(
          gap ->
              table.row(
                  gap.stream(),
                  gap.parentStream(),
                  gap.recordKey(),
                  gap.state().wireName(),
                  Reason.named(gap.reason()).words(),
                  String.valueOf(gap.tries()),
                  String.valueOf(gap.failures()),
                  pasteable(NextTry.words(gap, now))));
      table.print(out());
      return ExitCode.DONE.number();
    }

    /** Those that need somebody first. What was recovered is not missing. */
    private List<DetailGap> missing(Transaction transaction, String collection) {
      List<DetailGap> gaps = new ArrayList<>();
      for (DetailGap.State state : MISSING) {
        gaps.addAll(
            DetailGaps.list(transaction, collection, Optional.of(state), limit - gaps.size()));
      }
      return gaps;
    }
  }

  /** Details that were given up are tried again. */
  @Command(
      name = "requeue",
      mixinStandardHelpOptions = true,
      versionProvider = BuildVersion.class,
      sortOptions = false,
      description = {
        "Lets the next run try details again that are gone, in quarantine, were refused,",
        "or failed. What the provider put off waits for the time that it told.",
        ""
      })
  static final class Requeue extends CollectionCommand {
    @Option(names = "--stream", paramLabel = "NAME", description = "Only of this detail stream.")
    private @Nullable String stream;

    @Option(names = "--key", paramLabel = "KEY", description = "Only of this record.")
    private @Nullable String key;

    @Override
    int call(Store store, String collection) {
      Optional<String> only = Optional.ofNullable(stream);
      Optional<String> one = Optional.ofNullable(key);
      int reopened =
          store.write(transaction -> DetailGaps.requeue(transaction, collection, only, one));
      Optional<DetailGaps.Resting> resting =
          store.read(transaction -> DetailGaps.resting(transaction, collection, only, one));
      if (json()) {
        ObjectNode json = object().put("reopened", reopened);
        json.put("resting", resting.map(DetailGaps.Resting::count).orElse(0L));
        resting.ifPresent(rest -> json.put("restingUntil", rest.first().toString()));
        return answer(json);
      }
      out().printf("%,d will be tried again by the next run%n", reopened);
      resting.ifPresent(
          rest ->
              out()
                  .printf(
                      "%,d wait for the time that the provider told, the first until %s%n",
                      rest.count(), Times.at(rest.first())));
      out().flush();
      return ExitCode.DONE.number();
    }
  }
}

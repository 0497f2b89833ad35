package dev.sluice.cli;

import dev.sluice.collect.run.Collector;
import dev.sluice.runs.bookmark.Bookmark;
import dev.sluice.runs.bookmark.Bookmarks;
import dev.sluice.runs.gap.DetailGap;
import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.gap.GapCount;
import dev.sluice.runs.gap.StreamGap;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
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
      "collection takes it up. A collection whose last run was killed is listed with how",
      "far it has come: nobody knows what it would have found.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:nothing is known to be missing",
      "2:the state cannot be read",
      "6:something is missing, or the last run of a collection was killed"
    })
final class GapsCommand extends StoreCommand {

  @Override
  int call(Store store) {
    List<Killed> killed = store.read(GapsCommand::killed);
    List<StreamGap> streams = store.read(StreamGaps::all);
    List<GapCount> details =
        store.read(DetailGaps::counts).stream()
            .filter(count -> count.state() != DetailGap.State.RECOVERED)
            .toList();
    boolean missing =
        !killed.isEmpty()
            || !streams.isEmpty()
            || details.stream().anyMatch(count -> count.state().isOpen());
    ExitCode code = missing ? ExitCode.DEFERRED : ExitCode.DONE;
    if (json()) {
      ObjectNode json = object();
      ArrayNode unended = json.putArray("killed");
      killed.forEach(each -> put(unended.addObject(), each));
      ArrayNode rests = json.putArray("streams");
      streams.forEach(gap -> put(rests.addObject(), gap));
      ArrayNode counts = json.putArray("details");
      details.forEach(count -> put(counts.addObject(), count));
      return answer(json, code);
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
    killed.forEach(each -> out().println(each.words()));
    if (rests.isEmpty() && counts.isEmpty() && killed.isEmpty()) {
      out().println("nothing is known to be missing");
    }
    out().flush();
    if (!rests.isEmpty()) {
      rests.print(out());
    }
    if (!counts.isEmpty()) {
      counts.print(out());
    }
    return code.number();
  }

  /** A last run that was killed, and how far its collection has come. */
  private record Killed(RunRecord run, List<Bookmark> bookmarks) {
    String words() {
      return "%s: its last run (%d, begun %s) was killed after %s; the next run goes on with %s"
          .formatted(
              run.name(),
              run.id(),
              Times.at(run.started()),
              Count.of(run.counts().getOrDefault("records", 0L), "record"),
              bookmarks.isEmpty()
                  ? "the beginning"
                  : bookmarks.stream().map(Killed::place).collect(Collectors.joining(", ")));
    }

    private static String place(Bookmark bookmark) {
      return "%s %s"
          .formatted(
              bookmark.track(),
              bookmark.cursor().map(BookmarkWords::of).orElse("from the beginning"));
    }
  }

  private static List<Killed> killed(Transaction transaction) {
    return Runs.lastKilled(transaction, Collector.KIND).stream()
        .map(
            run ->
                new Killed(
                    run,
                    Bookmarks.of(transaction, run.name()).stream()
                        .filter(bookmark -> !bookmark.track().isRecovery())
                        .toList()))
        .toList();
  }

  private static void put(ObjectNode json, Killed killed) {
    json.put("collection", killed.run.name());
    json.put("run", killed.run.id());
    json.put("started", killed.run.started().toString());
    json.put("records", killed.run.counts().getOrDefault("records", 0L));
    ArrayNode tracks = json.putArray("tracks");
    for (Bookmark each : killed.bookmarks) {
      ObjectNode track = tracks.addObject();
      track.put("stream", each.track().stream());
      track.put("split", each.track().split());
      track.put("mode", each.track().mode().wireName());
      each.cursor().ifPresent(cursor -> track.put("cursor", cursor));
      track.put("committed", each.committed().toString());
    }
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

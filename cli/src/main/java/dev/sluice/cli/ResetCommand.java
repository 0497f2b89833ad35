package dev.sluice.cli;

import dev.sluice.gate.words.Spelling;
import dev.sluice.runs.bookmark.Bookmark;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.lease.Claim;
import dev.sluice.runs.lease.LeaseLostException;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.reset.Reset;
import dev.sluice.runs.reset.Scope;
import dev.sluice.runs.store.Store;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The command {@code sluice reset}: lets streams of a collection begin anew. */
@Command(
    name = "reset",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    sortOptions = false,
    description = {
      "Forgets how far a collection has come, so that it is collected again.",
      "",
      "For when records were lost after they had been collected. Both bookmarks of a",
      "stream go, and the horizon between them: its records and their details are",
      "fetched from the beginning, and cost the requests that they cost before.",
      "",
      "What was collected stays where it is. In tables, records with a key replace",
      "their rows; without a key, and in JSON Lines, they are then there twice: move",
      "the old files away first, or go by the key. Gaps of single records stay.",
      "",
      "Without --yes it only says what would begin anew.",
      ""
    },
    footer = {"", "Examples:", "  sluice reset mine", "  sluice reset mine --stream issues --yes"})
final class ResetCommand extends CollectionCommand {
  @Option(
      names = "--stream",
      paramLabel = "NAME",
      description = "Only this listed stream, with its details (default: all).")
  private @Nullable String stream;

  @Option(
      names = "--split",
      paramLabel = "NAME",
      description = "Only this part of the stream (default: all).")
  private @Nullable String split;

  @Option(names = "--yes", description = "Does it.")
  private boolean yes;

  @Override
  int call(Store store, String collection) {
    if (split != null && stream == null) {
      return end(
          ExitCode.BAD_ARGUMENTS,
          "--split names a part of a stream: name that, too, with --stream");
    }
    Scope scope = new Scope(collection, Optional.ofNullable(stream), Optional.ofNullable(split));
    Leases leases = new Leases(store, time);
    Reset reset = new Reset(store, time, leases, scope);
    Map<Track, Optional<Bookmark>> tracks = reset.tracks();
    if (tracks.isEmpty()) {
      return end(ExitCode.BAD_ARGUMENTS, nothing(store, leases, scope));
    }
    Optional<Claim.Held> elsewhere;
    try {
      elsewhere = yes ? reset.carryOut() : Optional.empty();
    } catch (LeaseLostException e) {
      return end(ExitCode.RUNNING_ELSEWHERE, "nothing was reset: " + e.getMessage());
    }
    if (elsewhere.isPresent()) {
      return end(ExitCode.RUNNING_ELSEWHERE, "nothing was reset: " + elsewhere.get().message());
    }
    if (json()) {
      int unused = answer(json(collection, tracks));
    } else {
      print(tracks);
    }
    return yes
        ? ExitCode.DONE.number()
        : end(ExitCode.BAD_ARGUMENTS, "nothing was reset; the same command with --yes does it");
  }

  /** What there is in place of what was named. */
  private String nothing(Store store, Leases leases, Scope scope) {
    Scope whole = new Scope(scope.collection(), Optional.empty(), Optional.empty());
    List<Track> known =
        new Reset(store, time, leases, whole)
            .tracks().keySet().stream().filter(track -> !track.isRecovery()).toList();
    List<String> streams = known.stream().map(Track::stream).distinct().toList();
    if (stream == null || streams.isEmpty()) {
      return "nothing of %s was collected yet: there is nothing to reset"
          .formatted(scope.collection());
    }
    if (streams.contains(stream)) {
      List<String> splits =
          known.stream()
              .filter(track -> track.stream().equals(stream))
              .map(Track::split)
              .filter(part -> !part.isEmpty())
              .distinct()
              .toList();
      return "--split names '%s', but %s %s"
          .formatted(
              split,
              stream,
              splits.isEmpty() ? "has no parts; leave --split out" : "has the parts " + splits);
    }
    return "--stream names '%s', but what was collected of %s are %s%s; details are fetched again with the records of their list"
        .formatted(
            stream,
            scope.collection(),
            String.join(", ", streams),
            Spelling.closest(stream, streams).map(" (did you mean %s?)"::formatted).orElse(""));
  }

  private ObjectNode json(String collection, Map<Track, Optional<Bookmark>> tracks) {
    ObjectNode json = object().put("collection", collection).put("reset", yes);
    ArrayNode all = json.putArray("tracks");
    tracks.forEach(
        (track, before) -> {
          ObjectNode each = all.addObject();
          each.put("stream", track.stream());
          each.put("split", track.split());
          each.put("mode", track.mode().wireName());
          before.flatMap(Bookmark::cursor).ifPresent(cursor -> each.put("cursor", cursor));
          each.put("finished", before.map(Bookmark::finished).orElse(false));
        });
    return json;
  }

  private void print(Map<Track, Optional<Bookmark>> tracks) {
    Table table = new Table(yes ? "BEGINS ANEW" : "WOULD BEGIN ANEW", "STOOD");
    tracks.forEach(
        (track, before) ->
            table.row(track.isRecovery() ? "recovery" : track.toString(), stood(track, before)));
    table.print(out());
    out()
        .println(
            yes
                ? "the next run collects all of it again; what was collected stays where it is"
                : "all of it would be collected again; what was collected stays where it is");
    out().flush();
  }

  private static String stood(Track track, Optional<Bookmark> before) {
    if (track.isRecovery()) {
      return "-"; // it has no place: gaps say what is left
    }
    if (before.map(Bookmark::finished).orElse(false)) {
      return "at its end";
    }
    return before
        .flatMap(Bookmark::cursor)
        .map(cursor -> "next " + BookmarkWords.of(cursor))
        .orElse("at the beginning");
  }
}

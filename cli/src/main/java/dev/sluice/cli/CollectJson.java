package dev.sluice.cli;

import dev.sluice.collect.connector.DetailStream;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.run.CollectionProgress;
import dev.sluice.collect.run.CollectionRequest;
import dev.sluice.collect.run.CollectionResult;
import dev.sluice.collect.run.TrackResult;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import java.io.PrintWriter;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The summary of a collection run for programs: one JSON object on one line. */
final class CollectJson {
  private static final JsonMapper JSON = JsonMapper.shared();

  private CollectJson() {}

  static void print(
      PrintWriter out, CollectionRequest request, CollectionResult result, NamedCommands commands) {
    CollectionProgress progress = result.progress();
    ObjectNode json = JSON.createObjectNode();
    json.put("collection", request.name());
    put(json, result.outcome(), commands);
    json.put("records", progress.records());
    json.put("slices", progress.slices());
    json.put("requests", progress.requests());
    json.put("refused", progress.met().refused());
    json.put("failed", progress.met().failed());
    json.put("retries", progress.met().retries());
    ObjectNode waited = json.putObject("waitedMs");
    progress.met().waited().forEach((wait, time) -> waited.put(wait.wireName(), time.toMillis()));
    json.put("gapsClosed", progress.recovered());
    json.put("gapsOpen", result.openGaps());
    ObjectNode streams = json.putObject("streams");
    for (ListStream list : request.connector().streams()) {
      streams.put(list.shape().name(), result.records(list.shape().name()));
      for (DetailStream detail : list.details()) {
        streams.put(detail.shape().name(), result.records(detail.shape().name()));
      }
    }
    ArrayNode tracks = json.putArray("tracks");
    for (TrackResult each : result.tracks()) {
      ObjectNode track = tracks.addObject();
      track.put("stream", each.track().stream());
      track.put("split", each.track().split());
      track.put("mode", each.track().mode().wireName());
      put(track, each.outcome(), commands);
      track.put("records", each.records());
      each.cursor().ifPresent(cursor -> track.put("cursor", cursor));
    }
    out.println(json);
    out.flush();
  }

  private static void put(ObjectNode json, Outcome outcome, NamedCommands commands) {
    json.put("outcome", outcome.wireName());
    Reason reason = outcome.reason();
    if (reason != null) {
      json.put("reason", reason.wireName());
      json.put("detail", commands.in(outcome.detail()));
    }
  }
}

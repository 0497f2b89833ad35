package dev.sluice.cli;

import dev.sluice.dataverse.bulk.BulkProgress;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.load.reject.RejectReasons;
import dev.sluice.load.run.AlreadyLoadedException;
import dev.sluice.load.run.DryRun;
import dev.sluice.load.run.LoadProgress;
import dev.sluice.load.run.LoadRequest;
import dev.sluice.load.run.LoadResult;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The summary of a load for programs: one JSON object on one line. */
final class LoadJson {
  private static final JsonMapper JSON = JsonMapper.shared();

  private LoadJson() {}

  static void print(PrintWriter out, LoadRequest request, LoadResult result, PolicyPlan policy) {
    LoadProgress progress = result.progress();
    BulkProgress sending = progress.sending();
    ObjectNode json = head(request);
    json.put("outcome", result.outcome().wireName());
    Reason reason = result.outcome().reason();
    if (reason != null) {
      json.put("reason", reason.wireName());
      json.put("detail", result.outcome().detail());
    }
    json.put("alreadyLoaded", false);
    json.put("resumed", result.resumed());
    json.put("read", progress.read());
    json.put("done", progress.done());
    json.put("rejected", progress.rejected());
    json.put("deferred", result.deferred());
    json.put("lookupsSet", progress.lookups().set());
    json.put("lookupsWaiting", progress.lookups().waiting());
    json.put("complete", result.complete());
    json.put("seconds", sending.elapsed().toMillis() / 1000.0);
    json.put("recordsPerSecond", sending.perSecond());
    json.put("messages", sending.messages());
    json.put("halved", sending.halved());
    ObjectNode repeated = json.putObject("repeated");
    sending.repeated().forEach(repeated::put);
    ObjectNode throttles = json.putObject("throttles");
    sending.throttles().forEach((facet, count) -> throttles.put(facet.wireName(), count));
    ObjectNode idle = json.putObject("idleSeconds");
    sending
        .idle()
        .forEach(
            (cause, lost) ->
                idle.put(cause.name().toLowerCase(Locale.ROOT), lost.toMillis() / 1000.0));
    json.set("policy", policy.json());
    reasons(json, progress.reasons());
    rejects(json, result.rejects());
    print(out, json);
  }

  static void print(PrintWriter out, LoadRequest request, DryRun.Result result) {
    ObjectNode json = head(request);
    json.put("outcome", "dry_run");
    json.put("read", result.read());
    json.put("rejected", result.rejected());
    reasons(json, result.reasons());
    rejects(json, result.rejects());
    print(out, json);
  }

  /** A load that was carried out before: how that ended. */
  static void print(
      PrintWriter out, String table, Operation operation, String file, AlreadyLoadedException e) {
    ObjectNode json = head(table, operation, file);
    json.put("outcome", e.outcome().wireName());
    json.put("detail", e.getMessage());
    json.put("alreadyLoaded", true);
    e.run().ended().ifPresent(ended -> json.put("finished", ended.toString()));
    e.run().counts().forEach(json::put);
    rejects(json, e.rejects());
    print(out, json);
  }

  /** A load that could not begin. */
  static void print(
      PrintWriter out,
      String table,
      Operation operation,
      String file,
      ExitCode code,
      String message) {
    print(out, head(table, operation, file), code, message);
  }

  /** A load of which nothing is known, because its command line cannot be read. */
  static void print(PrintWriter out, String message) {
    print(out, JSON.createObjectNode(), ExitCode.BAD_ARGUMENTS, message);
  }

  private static void print(PrintWriter out, ObjectNode json, ExitCode code, String message) {
    json.put(
        "outcome",
        switch (code) {
          case DEFERRED -> "deferred";
          case RUNNING_ELSEWHERE -> new Outcome.AlreadyRunning().wireName();
          default -> "failed";
        });
    json.put("reason", code.name().toLowerCase(Locale.ROOT));
    json.put("detail", message);
    print(out, json);
  }

  private static ObjectNode head(LoadRequest request) {
    return head(request.table().logicalName(), request.operation(), request.source());
  }

  private static ObjectNode head(String table, Operation operation, String file) {
    ObjectNode json = JSON.createObjectNode();
    json.put("table", table);
    json.put("operation", operation.wireName());
    json.put("source", file);
    return json;
  }

  private static void reasons(ObjectNode json, RejectReasons rejected) {
    ArrayNode reasons = json.putArray("rejectedByReason");
    for (RejectReasons.Reason reason : rejected.reasons()) {
      ObjectNode one = reasons.addObject();
      one.put("code", reason.code());
      one.put("message", reason.message());
      one.put("count", reason.count());
      one.put("line", reason.line());
    }
    json.put("rejectedForOtherReasons", rejected.others());
  }

  private static void rejects(ObjectNode json, Optional<Path> file) {
    file.ifPresent(path -> json.put("rejects", path.toString()));
  }

  private static void print(PrintWriter out, ObjectNode json) {
    out.println(json);
    out.flush();
  }
}

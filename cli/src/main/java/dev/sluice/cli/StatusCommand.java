package dev.sluice.cli;

import dev.sluice.control.circuit.CircuitOptions;
import dev.sluice.control.circuit.CircuitState;
import dev.sluice.gate.HoldCause;
import dev.sluice.gate.words.ShellWord;
import dev.sluice.runs.evidence.Evidence;
import dev.sluice.runs.evidence.EvidenceLog;
import dev.sluice.runs.evidence.Fact;
import dev.sluice.runs.evidence.Facts;
import dev.sluice.runs.pressure.CircuitMove;
import dev.sluice.runs.pressure.LaneNow;
import dev.sluice.runs.pressure.LaneRecord;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The command {@code sluice status}: what is known of the providers' lanes. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    sortOptions = false,
    description = {
      "Shows the providers' lanes: how fast, left alone until when, and why.",
      "",
      "It also says how many retries the last run had left, and what is missing for how long.",
      "A lane is a provider with a credential. Where somebody has to act before it is",
      "asked again, this says so, and how to go on afterwards.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all lanes may be used",
      "2:a lane is stopped, or waiting was in vain: somebody has to act; or the state cannot be read",
      "6:a lane is held or left alone for a while, or the last run through it was killed"
    })
final class StatusCommand extends StoreCommand {
  @Option(
      names = "--reopen",
      paramLabel = "LANE",
      description = {
        "Somebody has acted: forgets the lane's stop, circuit, cooldown and learned pace,",
        "so that the next run begins as the connector says."
      })
  private @Nullable String reopen;

  /**
   * What is known of a lane, of its parts that are held alone, of the work through it, and what a
   * run that is at work there says.
   */
  private record Seen(
      LaneRecord lane, List<LaneRecord> parts, LaneWork work, Optional<LaneNow> now, Instant at) {

    boolean isFree() {
      return lane.held(at).isZero()
          && parts.isEmpty()
          && work.killed().isEmpty()
          && openUntil().isEmpty();
    }

    /** Until when the circuit is open, if it is; later, the next run asks with one request. */
    Optional<Instant> openUntil() {
      return lane.circuit()
          .filter(move -> move.state() == CircuitState.OPEN)
          .map(move -> move.at().plus(CircuitOptions.DEFAULTS.openFor()))
          .filter(until -> until.isAfter(at));
    }
  }

  @Override
  int call(Store store) {
    List<Seen> lanes = store.read(StatusCommand::look);
    if (reopen != null) {
      String lane = reopen;
      Optional<LaneRecord> known =
          lanes.stream().map(Seen::lane).filter(each -> each.name().equals(lane)).findFirst();
      if (known.isEmpty()) {
        return end(
            ExitCode.BAD_ARGUMENTS,
            "there is no lane '%s'; there are %s"
                .formatted(lane, lanes.stream().map(each -> each.lane.name()).toList()));
      }
      store.write(
          transaction -> {
            Lanes.reopen(transaction, lane);
            EvidenceLog.append(
                transaction,
                EvidenceLog.NO_RUN,
                Evidence.Kind.LANE_REOPENED,
                reopened(known.get()));
            return null;
          });
      lanes = store.read(StatusCommand::look);
    }
    ExitCode code = reopen == null ? code(lanes) : ExitCode.DONE;
    if (json()) {
      ObjectNode json = object();
      ArrayNode all = json.putArray("lanes");
      lanes.forEach(lane -> put(all.addObject(), lane));
      return answer(json, code);
    }
    Table table =
        new Table("LANE", "STATE", "NOW", "PROVEN RATE", "CIRCUIT", "RETRIES LEFT", "MISSING");
    for (Seen each : lanes) {
      table.row(
          each.lane.name(),
          pasteable(state(each)),
          each.now.map(StatusCommand::now).orElse("-"),
          each.lane
              .proven()
              .map(rate -> "%.3g/s at %s".formatted(rate.rate(), Times.at(rate.at())))
              .orElse("-"),
          each.lane.circuit().map(StatusCommand::circuit).orElse("closed"),
          each.work.retriesLeft().map(String::valueOf).orElse("-"),
          each.work.backlog(each.at));
    }
    if (table.isEmpty()) {
      out().println("no lane was ever used");
      out().flush();
    } else {
      table.print(out());
    }
    return code.number();
  }

  private static ExitCode code(List<Seen> lanes) {
    if (lanes.stream().anyMatch(each -> each.lane.needsAttention())) {
      return ExitCode.FAILED;
    }
    return lanes.stream().anyMatch(each -> !each.isFree()) ? ExitCode.DEFERRED : ExitCode.DONE;
  }

  private static List<Seen> look(Transaction transaction) {
    return Lanes.all(transaction).stream().map(lane -> look(transaction, lane)).toList();
  }

  private static Seen look(Transaction transaction, LaneRecord lane) {
    LaneWork work = LaneWork.of(transaction, lane.name());
    return new Seen(
        lane,
        Lanes.heldParts(transaction, lane.name()),
        work,
        LaneNow.of(transaction, lane.name()).filter(now -> work.isRunning()),
        transaction.now());
  }

  private static String now(LaneNow now) {
    String speed = CollectScreen.speed(now.measured(), now.allowed());
    return now.reason().isEmpty() ? speed : "%s (%s)".formatted(speed, now.reason());
  }

  private static Facts reopened(LaneRecord lane) {
    Facts facts = Facts.NONE.with(Fact.LANE, lane.number());
    return lane.stopped().map(reason -> facts.with(Fact.REASON, reason)).orElse(facts);
  }

  private static String circuit(CircuitMove move) {
    return "%s since %s".formatted(move.state().wireName(), Times.at(move.at()));
  }

  private static String state(Seen seen) {
    LaneRecord lane = seen.lane;
    StringJoiner state = new StringJoiner("; ");
    lane.stopped()
        .ifPresent(
            reason ->
                state.add(
                    "stopped (%s) until somebody acts: sluice status --reopen %s"
                        .formatted(reason.wireName(), ShellWord.quoted(lane.name()))));
    if (lane.cooldown().stands(seen.at)) {
      state.add(
          "left alone until %s, after %s of pressure in a row%s"
              .formatted(
                  Times.at(lane.cooldown().until()),
                  Count.of(lane.cooldown().consecutive(), "time"),
                  lane.cooldown()
                      .reason()
                      .map(reason -> " (%s)".formatted(reason.wireName()))
                      .orElse("")));
    }
    if (lane.holdUntil().isAfter(seen.at)) {
      state.add(held(lane));
    }
    seen.openUntil().ifPresent(until -> state.add("the circuit is open until " + Times.at(until)));
    seen.parts.forEach(part -> state.add(part(part, lane) + " " + held(part)));
    seen.work
        .killed()
        .forEach(
            run ->
                state.add(
                    "the last run of %s was killed (sluice gaps says how far it came)"
                        .formatted(run.name())));
    if (lane.cooldown().needsAttention()) {
      state.add("waiting was in vain: somebody should look at it");
    }
    return state.length() == 0 ? "free" : state.toString();
  }

  private static String held(LaneRecord lane) {
    return "held until %s%s"
        .formatted(
            Times.at(lane.holdUntil()),
            lane.holdCause().map(cause -> ", because " + words(cause)).orElse(""));
  }

  private static String words(HoldCause cause) {
    return switch (cause) {
      case TOLD -> "the provider throttled and named that time";
      case HINTLESS -> "the provider throttled and named no time";
      case QUOTA -> "the provider says that its quota is used up till then";
      case ADDRESS -> "a provider throttled this machine's address";
    };
  }

  /** What a part is called without the name of its lane. */
  private static String part(LaneRecord part, LaneRecord lane) {
    return part.name().substring(lane.name().length()).strip();
  }

  private static void put(ObjectNode json, Seen seen) {
    LaneRecord lane = seen.lane;
    json.put("lane", lane.name());
    json.put("number", lane.number());
    json.put("needsAttention", lane.needsAttention());
    if (lane.holdUntil().isAfter(seen.at)) {
      putHold(json, lane);
    }
    if (lane.cooldown().stands(seen.at)) {
      json.put("cooldownUntil", lane.cooldown().until().toString());
      json.put("consecutive", lane.cooldown().consecutive());
      lane.cooldown().reason().ifPresent(why -> json.put("cooldownReason", why.wireName()));
    }
    lane.stopped().ifPresent(reason -> json.put("stopped", reason.wireName()));
    lane.circuit().ifPresent(move -> json.put("circuit", move.state().wireName()));
    lane.proven()
        .ifPresent(
            rate -> {
              json.put("provenRate", rate.rate());
              json.put("provenAt", rate.at().toString());
            });
    seen.now.ifPresent(now -> put(json.putObject("now"), now));
    ArrayNode parts = json.putArray("heldParts");
    for (LaneRecord part : seen.parts) {
      putHold(parts.addObject().put("part", part(part, lane)), part);
    }
    seen.work.retriesLeft().ifPresent(left -> json.put("retriesLeft", left));
    ObjectNode missing = json.putObject("missing");
    missing.put("details", seen.work.details());
    missing.put("streams", seen.work.streams());
    seen.work.oldest().ifPresent(since -> missing.put("since", since.toString()));
    ArrayNode collections = json.putArray("collections");
    seen.work.last().forEach(run -> collections.add(run.name()));
  }

  private static void put(ObjectNode json, LaneNow now) {
    json.put("measuredRate", now.measured());
    if (Double.isFinite(now.allowed())) {
      json.put("allowedRate", now.allowed());
    }
    json.put("reason", now.reason());
    json.put("at", now.at().toString());
  }

  private static void putHold(ObjectNode json, LaneRecord lane) {
    json.put("heldUntil", lane.holdUntil().toString());
    lane.holdCause().ifPresent(cause -> json.put("heldBecause", cause.wireName()));
  }
}

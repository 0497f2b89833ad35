package dev.sluice.cli;

import dev.sluice.gate.words.ShellWord;
import dev.sluice.runs.evidence.Evidence;
import dev.sluice.runs.evidence.EvidenceLog;
import dev.sluice.runs.evidence.Fact;
import dev.sluice.runs.evidence.Facts;
import dev.sluice.runs.pressure.CircuitMove;
import dev.sluice.runs.pressure.LaneRecord;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.store.Store;
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
      "A lane is a provider with a credential. Where somebody has to act before it is",
      "asked again, this says so, and how to go on afterwards.",
      ""
    })
final class StatusCommand extends StoreCommand {
  @Option(
      names = "--reopen",
      paramLabel = "LANE",
      description = "Somebody has acted: forgets the lane's stop, circuit and cooldown.")
  private @Nullable String reopen;

  @Override
  int call(Store store) {
    List<LaneRecord> lanes = store.read(Lanes::all);
    if (reopen != null) {
      String lane = reopen;
      Optional<LaneRecord> known =
          lanes.stream().filter(each -> each.name().equals(lane)).findFirst();
      if (known.isEmpty()) {
        return end(
            ExitCode.BAD_ARGUMENTS,
            "there is no lane '%s'; there are %s"
                .formatted(lane, lanes.stream().map(LaneRecord::name).toList()));
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
      lanes = store.read(Lanes::all);
    }
    Instant now = time.instant();
    if (json()) {
      ObjectNode json = object();
      ArrayNode all = json.putArray("lanes");
      lanes.forEach(lane -> put(all.addObject(), lane, now));
      return answer(json);
    }
    Table table = new Table("LANE", "STATE", "PROVEN RATE", "CIRCUIT");
    for (LaneRecord lane : lanes) {
      table.row(
          lane.name(),
          pasteable(state(lane, now)),
          lane.proven()
              .map(rate -> "%.3g/s at %s".formatted(rate.rate(), Times.at(rate.at())))
              .orElse("-"),
          lane.circuit().map(StatusCommand::circuit).orElse("closed"));
    }
    if (table.isEmpty()) {
      out().println("no lane was ever used");
      out().flush();
    } else {
      table.print(out());
    }
    return ExitCode.DONE.number();
  }

  private static Facts reopened(LaneRecord lane) {
    Facts facts = Facts.NONE.with(Fact.LANE, lane.number());
    return lane.stopped().map(reason -> facts.with(Fact.REASON, reason)).orElse(facts);
  }

  private static String circuit(CircuitMove move) {
    return "%s since %s".formatted(move.state().wireName(), Times.at(move.at()));
  }

  private static String state(LaneRecord lane, Instant now) {
    StringJoiner state = new StringJoiner("; ");
    lane.stopped()
        .ifPresent(
            reason ->
                state.add(
                    "stopped (%s) until somebody acts: sluice status --reopen %s"
                        .formatted(reason.wireName(), ShellWord.quoted(lane.name()))));
    if (lane.cooldown().stands(now)) {
      state.add(
          "left alone until %s, after %s of pressure in a row"
              .formatted(
                  Times.at(lane.cooldown().until()),
                  Count.of(lane.cooldown().consecutive(), "time")));
    }
    if (lane.holdUntil().isAfter(now)) {
      state.add(
          "held until %s, after what the provider answered".formatted(Times.at(lane.holdUntil())));
    }
    if (lane.cooldown().needsAttention()) {
      state.add("waiting was in vain: somebody should look at it");
    }
    return state.length() == 0 ? "free" : state.toString();
  }

  private static void put(ObjectNode json, LaneRecord lane, Instant now) {
    json.put("lane", lane.name());
    json.put("number", lane.number());
    json.put("needsAttention", lane.needsAttention());
    if (lane.holdUntil().isAfter(now)) {
      json.put("heldUntil", lane.holdUntil().toString());
    }
    if (lane.cooldown().stands(now)) {
      json.put("cooldownUntil", lane.cooldown().until().toString());
      json.put("consecutive", lane.cooldown().consecutive());
    }
    lane.stopped().ifPresent(reason -> json.put("stopped", reason.wireName()));
    lane.circuit().ifPresent(move -> json.put("circuit", move.state().wireName()));
    lane.proven()
        .ifPresent(
            rate -> {
              json.put("provenRate", rate.rate());
              json.put("provenAt", rate.at().toString());
            });
  }
}

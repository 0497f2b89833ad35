package dev.sluice.collect.run;

import dev.sluice.runs.gap.DetailGap;
import dev.sluice.runs.gap.LeasedGaps;
import dev.sluice.runs.gap.Miss;
import dev.sluice.runs.store.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What came of trying to fill a gap. Immutable.
 *
 * @param id the gap's
 * @param version that it had when it was tried: a gap that was noted again since stays open
 * @param miss why it could not be filled; empty if it was
 */
record GapEnding(long id, long version, Optional<Miss> miss) {

  static GapEnding of(DetailGap gap, Fetched fetched) {
    return new GapEnding(
        gap.id(),
        gap.version(),
        switch (fetched) {
          case Fetched.Had had -> Optional.empty();
          case Fetched.Missed missed -> Optional.of(missed.miss());
        });
  }

  /** Writes it down. */
  void commit(Transaction transaction, RunContext context) {
    if (miss.isPresent()) {
      DetailGap.State state =
          LeasedGaps.missed(transaction, id, version, context.record().id(), miss.get());
      if (state == DetailGap.State.QUARANTINED) {
        context.progress().gapQuarantined();
      }
    } else if (LeasedGaps.recovered(transaction, id, version)) {
      context.progress().gapClosed();
    }
  }

  /** Several as text, for sinks that keep it until the store knows. */
  static String text(List<GapEnding> endings) {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    for (GapEnding each : endings) {
      ObjectNode one = all.addObject().put("id", each.id).put("version", each.version);
      each.miss.ifPresent(why -> one.set("miss", MissText.of(why)));
    }
    return all.toString();
  }

  /**
   * What was written.
   *
   * @throws IllegalArgumentException if it was not written here
   */
  static List<GapEnding> read(String text) {
    List<GapEnding> endings = new ArrayList<>();
    for (JsonNode one : MissText.list(text)) {
      endings.add(
          new GapEnding(one.path("id").asLong(0), one.path("version").asLong(0), MissText.in(one)));
    }
    return endings;
  }
}

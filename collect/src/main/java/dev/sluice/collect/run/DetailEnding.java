package dev.sluice.collect.run;

import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.gap.HadDetails;
import dev.sluice.runs.gap.Miss;
import dev.sluice.runs.gap.MissedDetails;
import dev.sluice.runs.gap.MissingDetail;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What came of the details of one listed record. Immutable.
 *
 * @param stream the detail stream
 * @param recordKey the record's
 * @param parent what has to be known of it to fetch them later
 * @param edition of the record, for which they were fetched; empty if that does not matter
 * @param miss why they are missing; empty if they are there
 */
record DetailEnding(
    String stream, String recordKey, String parent, Optional<String> edition, Optional<Miss> miss) {
  /** Writes down that they are missing, or no longer are. */
  void commit(Transaction transaction, Track track, RunContext context) {
    long run = context.record().id();
    if (miss.isPresent()) {
      MissingDetail detail =
          new MissingDetail(
              track.collection(), stream, track.stream(), recordKey, track.split(), parent);
      if (MissedDetails.note(transaction, detail, run, miss.get())) {
        context.progress().gapQuarantined();
      } else if (miss.get().sent() && miss.get().reason() == Reason.Pressure.UPSTREAM_PRESSURE) {
        context.progress().missed(detail);
      }
    } else {
      if (MissedDetails.filled(
          transaction, track.collection(), stream, track.stream(), recordKey)) {
        context.progress().gapClosed();
      }
      edition.ifPresent(had -> HadDetails.note(transaction, track, stream, recordKey, had, run));
    }
  }

  /** Several as text, for sinks that keep it until the bookmark moves. */
  static String text(List<DetailEnding> endings) {
    if (endings.isEmpty()) {
      return "";
    }
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    for (DetailEnding each : endings) {
      ObjectNode one = all.addObject().put("stream", each.stream).put("key", each.recordKey);
      each.edition.ifPresent(edition -> one.put("edition", edition));
      each.miss.ifPresent(
          why -> {
            one.put("parent", each.parent);
            one.set("miss", MissText.of(why));
          });
    }
    return all.toString();
  }

  /**
   * What was written.
   *
   * @throws IllegalArgumentException if it was not written here
   */
  static List<DetailEnding> read(String text) {
    List<DetailEnding> endings = new ArrayList<>();
    for (JsonNode one : MissText.list(text)) {
      endings.add(
          new DetailEnding(
              one.path("stream").asString(""),
              one.path("key").asString(""),
              one.path("parent").asString(""),
              Optional.ofNullable(one.path("edition").stringValue(null)),
              MissText.in(one)));
    }
    return endings;
  }
}

package dev.sluice.collect.run;

import dev.sluice.runs.gap.Miss;
import dev.sluice.runs.run.Reason;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A miss as text, for sinks that keep it until the bookmark moves. */
final class MissText {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String NOT_SENT = "not_sent";
  private static final String PUT_OFF = "put_off";
  private static final String REFUSED = "refused";
  private static final String GONE = "gone";
  private static final String FAILING = "failing";

  private MissText() {}

  static ObjectNode of(Miss miss) {
    ObjectNode text = JsonNodeFactory.instance.objectNode();
    text.put("kind", kind(miss));
    text.put("reason", miss.reason().wireName());
    miss.told().ifPresent(told -> text.put("told", told.toString()));
    return text;
  }

  private static String kind(Miss miss) {
    return switch (miss) {
      case Miss.NotSent notSent -> NOT_SENT;
      case Miss.PutOff putOff -> PUT_OFF;
      case Miss.Refused refused -> REFUSED;
      case Miss.Gone gone -> GONE;
      case Miss.Failing failing -> FAILING;
    };
  }

  /**
   * The items of a list.
   *
   * @throws IllegalArgumentException if it is none
   */
  static JsonNode list(String text) {
    try {
      return text.isEmpty() ? JsonNodeFactory.instance.arrayNode() : JSON.readTree(text);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("the facts of a slice are no JSON", e);
    }
  }

  /** The miss of an item; empty if it has none. */
  static Optional<Miss> in(JsonNode item) {
    return item.has("miss") ? Optional.of(read(item.path("miss"))) : Optional.empty();
  }

  /**
   * What was written.
   *
   * @throws IllegalArgumentException if it was not written here
   */
  private static Miss read(JsonNode text) {
    String kind = text.path("kind").asString("");
    Reason reason = Reason.named(text.path("reason").asString(""));
    Optional<Instant> told =
        text.has("told")
            ? Optional.of(Instant.parse(text.path("told").asString("")))
            : Optional.empty();
    if (kind.equals(NOT_SENT)) {
      return new Miss.NotSent(reason);
    } else if (kind.equals(PUT_OFF) && reason instanceof Reason.Deferral deferral) {
      return new Miss.PutOff(deferral, told);
    } else if (kind.equals(REFUSED) && reason instanceof Reason.Failure failure) {
      return new Miss.Refused(failure, told);
    } else if (kind.equals(GONE) && reason instanceof Reason.Failure failure) {
      return new Miss.Gone(failure);
    }
    if (kind.equals(FAILING)) {
      return new Miss.Failing();
    }
    throw new IllegalArgumentException("a miss of kind '%s' is not known".formatted(kind));
  }
}

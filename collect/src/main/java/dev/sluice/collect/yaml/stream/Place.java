package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.yaml.paging.LoopGuard;
import dev.sluice.collect.yaml.request.Page;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where a slice begins, as a bookmark keeps it: between two walks the cursor's value as it came,
 * within one a JSON object with the provider's token as it came. Immutable.
 *
 * @param at the value from which the walk was asked for; empty for the beginning
 * @param page what leads to the next page of the walk; empty if none is under way
 * @param seen the latest value that the walk has met so far
 * @param guard what the walk remembers against going in circles
 */
record Place(Optional<String> at, Optional<String> page, Optional<String> seen, LoopGuard guard) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** The beginning of a walk. */
  static Place from(Optional<String> value) {
    return new Place(value, Optional.empty(), Optional.empty(), LoopGuard.START);
  }

  /** The beginning of the same walk, because the way to its next page is no longer taken. */
  Place restarted() throws ProviderException {
    return new Place(at, Optional.empty(), Optional.empty(), guard.restarted());
  }

  /** What a bookmark says. */
  static Place parse(Optional<String> cursor) {
    if (cursor.isEmpty() || !cursor.get().startsWith("{")) {
      return from(cursor);
    }
    try {
      JsonNode json = JSON.readTree(cursor.get());
      return new Place(
          text(json, "at"),
          text(json, "page"),
          text(json, "seen"),
          new LoopGuard(
              json.path("pages").asLong(0),
              json.path("empty").asInt(0),
              json.path("mark").asLong(-1),
              json.path("restarts").asInt(0),
              json.path("print").asLong(Page.NO_PRINT),
              json.path("known").asInt(0)));
    } catch (JacksonException e) {
      throw new IllegalArgumentException("the bookmark cannot be read; it was not written here", e);
    }
  }

  private static Optional<String> text(JsonNode json, String name) {
    @Nullable JsonNode value = json.get(name);
    return value == null ? Optional.empty() : Optional.of(value.asString());
  }

  /** As a bookmark keeps it; empty for the beginning. */
  Optional<String> text() {
    boolean plain = page.isEmpty() && !at.orElse("").startsWith("{");
    if (plain) {
      return at;
    }
    ObjectNode json = JSON.createObjectNode();
    at.ifPresent(value -> json.put("at", value));
    page.ifPresent(value -> json.put("page", value));
    seen.ifPresent(value -> json.put("seen", value));
    if (page.isPresent()) {
      json.put("pages", guard.pages()).put("empty", guard.empty()).put("mark", guard.mark());
      if (guard.restarts() > 0) {
        json.put("restarts", guard.restarts());
      }
      if (guard.print() != Page.NO_PRINT) {
        json.put("print", guard.print());
      }
      if (guard.known() > 0) {
        json.put("known", guard.known());
      }
    }
    return Optional.of(JSON.writeValueAsString(json));
  }
}

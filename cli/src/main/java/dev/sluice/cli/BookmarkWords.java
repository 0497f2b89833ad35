package dev.sluice.cli;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where a bookmark stands, for people. Connectors write bookmarks as they like; those of connector
 * files are values of the cursor between two lists, and JSON objects in the middle of one.
 */
final class BookmarkWords {
  private static final int LONGEST = 60;

  private BookmarkWords() {}

  /** A clause to go after "next". */
  static String of(String bookmark) {
    JsonNode json = parsed(bookmark);
    if (!json.hasNonNull("page")) {
      return "from " + shortened(bookmark);
    }
    Optional<String> since = Optional.ofNullable(json.get("at")).map(JsonNode::asString);
    if (json.path("pages").asLong(0) == 0) { // no page was turned: these are windows of time
      return "from " + shortened(json.path("page").asString());
    }
    return "in the middle of a list" + since.map(value -> ", since " + shortened(value)).orElse("");
  }

  private static JsonNode parsed(String bookmark) {
    try {
      return bookmark.startsWith("{")
          ? JsonMapper.shared().readTree(bookmark)
          : JsonMapper.shared().missingNode();
    } catch (JacksonException e) {
      return JsonMapper.shared().missingNode(); // somebody else's, and no JSON
    }
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }
}

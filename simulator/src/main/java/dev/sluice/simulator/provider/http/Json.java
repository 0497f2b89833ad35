package dev.sluice.simulator.provider.http;

import dev.sluice.simulator.catalogue.Item;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Writes and reads the provider's JSON. */
final class Json {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Json() {}

  static String write(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  /** An object, or a mistaken call. */
  static Map<String, Object> read(String text) {
    try {
      Map<String, Object> object = MAPPER.readValue(text, new TypeReference<>() {});
      if (object != null) {
        return object;
      }
    } catch (StreamReadException mistake) {
      TokenStreamLocation at = mistake.getLocation();
      throw new MistakenCall(
          400,
          "malformed_json",
          "expected a JSON object"
              + (at == null
                  ? ""
                  : "; line %d, column %d is no JSON".formatted(at.getLineNr(), at.getColumnNr())));
    } catch (JacksonException mistake) {
      throw new MistakenCall(400, "malformed_json", "expected a JSON object");
    }
    throw new MistakenCall(400, "malformed_json", "expected a JSON object");
  }

  static String error(String code, String message) {
    return write(Map.of("error", object("code", code, "message", message)));
  }

  /** Keys and values by turns, in this order. */
  static Map<String, @Nullable Object> object(@Nullable Object... pairs) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      object.put(String.valueOf(pairs[i]), pairs[i + 1]);
    }
    return object;
  }

  static Map<String, @Nullable Object> item(Item item) {
    return object(
        "id",
        item.id(),
        "title",
        item.title(),
        "state",
        item.state(),
        "amount",
        item.amount(),
        "comments",
        item.commentCount(),
        "revision",
        item.revision(),
        "created_at",
        item.created().toString(),
        "updated_at",
        item.updated().toString());
  }

  /** The same, with what lists leave out. */
  static Map<String, @Nullable Object> detail(Item item) {
    Map<String, @Nullable Object> detail = item(item);
    detail.put("description", "All there is to say about " + item.title() + ".");
    return detail;
  }

  static Map<String, @Nullable Object> comment(Item.Comment comment) {
    return object(
        "id",
        comment.id(),
        "item_id",
        comment.itemId(),
        "author",
        comment.author(),
        "text",
        comment.text(),
        "created_at",
        comment.created().toString());
  }
}

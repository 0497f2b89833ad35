package dev.sluice.dataverse.service;

import dev.sluice.gate.wire.WebAnswer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads bodies of answers; amounts keep all their digits. */
public final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private Json() {}

  /**
   * The body of an answer.
   *
   * @throws IOException if it is no JSON object: what every answer of the service is, unless it was
   *     cut off on its way
   */
  public static JsonNode read(WebAnswer answer) throws IOException {
    try {
      JsonNode body = MAPPER.readTree(answer.body());
      if (body.isObject()) {
        return body;
      }
    } catch (JacksonException e) {
      throw notWhole(answer, e);
    }
    throw notWhole(answer, null);
  }

  /** The body of an answer, to be read piece by piece; fails as Jackson does. */
  public static JsonParser parser(WebAnswer answer) {
    return MAPPER.createParser(answer.body());
  }

  private static IOException notWhole(WebAnswer answer, @Nullable Exception cause) {
    return new IOException(
        "an answer of %d bytes with status %d is no JSON object; it may have been cut off"
            .formatted(answer.body().length, answer.status()),
        cause);
  }
}

package dev.sluice.dataverse.service;

import dev.sluice.gate.wire.WebAnswer;
import java.io.IOException;
import tools.jackson.core.JacksonException;
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
   * @throws IOException if it is no JSON
   */
  public static JsonNode read(WebAnswer answer) throws IOException {
    try {
      return MAPPER.readTree(answer.body());
    } catch (JacksonException e) {
      throw new IOException(
          "an answer of %d bytes with status %d is no JSON: %s"
              .formatted(answer.body().length, answer.status(), e.getOriginalMessage()),
          e);
    }
  }
}

package dev.sluice.simulator.dataverse.odata;

import java.io.ByteArrayOutputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/** Reads and writes JSON as a stream. */
public final class Json {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN).build();

  private Json() {}

  /** What is said in JSON, one call after the other. */
  @FunctionalInterface
  public interface Text {
    /** Says it. */
    void write(JsonGenerator out);
  }

  /** Reads a body. */
  public static JsonParser parser(byte[] body) {
    return FACTORY.createParser(ObjectReadContext.empty(), body);
  }

  /** What is wrong with a body, as the service says it. */
  public static String reason(JacksonException wrong) {
    return wrong instanceof UnexpectedEndOfInputException
        ? "Unexpected end of input was found in JSON content. Not all object and array scopes were"
            + " closed."
        : "A token was not recognized in the JSON content.";
  }

  /** A body that says this, as UTF-8. */
  public static byte[] bytes(Text text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
      text.write(out);
    }
    return bytes.toByteArray();
  }
}

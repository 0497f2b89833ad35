package dev.sluice.simulator.dataverse.odata;

import java.io.ByteArrayOutputStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
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

  /** A body that says this, as UTF-8. */
  public static byte[] bytes(Text text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
      text.write(out);
    }
    return bytes.toByteArray();
  }
}

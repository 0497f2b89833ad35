package dev.sluice.load.reject;

import dev.sluice.load.Rejection;
import dev.sluice.load.input.RawRecord;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Objects with their members as they were, and two more. A line that is no object becomes a text in
 * {@code error_source}, and is turned away again until somebody has put members in its place.
 */
final class JsonRejects implements RejectLayout {
  private static final Set<String> REMARKS = Set.of(Rejection.ERROR_CODE, Rejection.ERROR_MESSAGE);

  private final JsonFactory json =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .build();

  @Override
  public byte[] head() {
    return new byte[0];
  }

  @Override
  public byte[] line(RawRecord record, String code, String message) {
    String source = record.source();
    String line;
    try {
      line = annotated(source, code, message);
    } catch (JacksonException e) {
      line = wrapped(source, code, message);
    }
    return (line + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private String annotated(@Nullable String source, String code, String message) {
    if (source == null) {
      return wrapped(null, code, message);
    }
    StringWriter line = new StringWriter();
    try (JsonParser parser = json.createParser(ObjectReadContext.empty(), source);
        JsonGenerator out = json.createGenerator(ObjectWriteContext.empty(), line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return wrapped(source, code, message);
      }
      out.writeStartObject();
      for (String name; (name = parser.nextName()) != null; ) {
        parser.nextToken();
        if (REMARKS.contains(name)) {
          parser.skipChildren();
        } else {
          out.writeName(name);
          out.copyCurrentStructureExact(parser);
        }
      }
      if (parser.nextToken() != null) {
        return wrapped(source, code, message);
      }
      remarks(out, code, message);
    }
    return line.toString();
  }

  private String wrapped(@Nullable String source, String code, String message) {
    StringWriter line = new StringWriter();
    try (JsonGenerator out = json.createGenerator(ObjectWriteContext.empty(), line)) {
      out.writeStartObject();
      out.writeStringProperty(Rejection.ERROR_SOURCE, source);
      remarks(out, code, message);
    }
    return line.toString();
  }

  private static void remarks(JsonGenerator out, String code, String message) {
    out.writeStringProperty(Rejection.ERROR_CODE, code);
    out.writeStringProperty(Rejection.ERROR_MESSAGE, message);
    out.writeEndObject();
  }
}

package dev.sluice.collect.yaml.request;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.connector.BrokenAnswerException;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Requests;
import dev.sluice.collect.select.JsonPath;
import dev.sluice.gate.wire.HttpTransport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads answers as pages, and refuses what is none: no JSON, another shape than declared, too
 * large. An answer that is not understood never passes for an empty page. Immutable and
 * thread-safe.
 */
public final class PageReader {
  /** The largest body that is read, whatever the transport. */
  public static final int LARGEST_BODY = HttpTransport.LARGEST_BODY;

  /** Others are not quoted: a header may echo what it was asked with. */
  private static final Set<String> SHOWN_TYPES =
      Set.of(
          "application/gzip",
          "application/javascript",
          "application/json",
          "application/octet-stream",
          "application/pdf",
          "application/problem+json",
          "application/vnd.api+json",
          "application/x-ndjson",
          "application/xhtml+xml",
          "application/xml",
          "application/zip",
          "text/csv",
          "text/html",
          "text/plain",
          "text/xml");

  // Numbers stay as they were written: amounts lose nothing, and keys beyond 2^53 stay keys.
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final JsonPath records;
  private final RecordKey key;
  private final Function<ObjectNode, Object> state;

  /**
   * Reads pages that list records at a path.
   *
   * @param state what tells one state of a record from another of the same key
   */
  public PageReader(JsonPath records, RecordKey key, Function<ObjectNode, Object> state) {
    this.records = requireNonNull(records, "records");
    this.key = requireNonNull(key, "key");
    this.state = requireNonNull(state, "state");
  }

  /** What tells records apart. */
  public RecordKey key() {
    return key;
  }

  /** Asks for a page. */
  public Page read(Requests requests, WebRequest request)
      throws ProviderException, IOException, InterruptedException {
    return requests.send(request, answer -> page(request.uri(), answer));
  }

  /** An answer as a page. */
  public Page page(URI uri, WebAnswer answer) throws ProviderException, BrokenAnswerException {
    JsonNode body = json(answer);
    List<ObjectNode> found = new ArrayList<>();
    for (JsonNode each : listed(body)) {
      if (!(each instanceof ObjectNode record)) {
        throw ProviderException.unexpected(
            "what is listed at %s are no objects; check records".formatted(records));
      }
      found.add(record);
    }
    List<String> keys = keys(found);
    return new Page(uri, answer.headers(), body, found, keys, print(found, keys));
  }

  private long print(List<ObjectNode> found, List<String> keys) {
    long sum = Page.NO_PRINT;
    for (int i = 0; i < keys.size(); i++) {
      long one = 0;
      for (int j = 0; j < keys.get(i).length(); j++) {
        one = 31 * one + keys.get(i).charAt(j);
      }
      one = 31 * one + state.apply(found.get(i)).hashCode();
      one *= 0x9E3779B97F4A7C15L; // spreads the bits, so that sums of likely values differ
      sum += one ^ one >>> 32;
    }
    return sum;
  }

  private List<String> keys(List<ObjectNode> found) throws ProviderException {
    List<String> keys = new ArrayList<>(found.size());
    if (!key.members().isEmpty()) {
      for (ObjectNode record : found) {
        keys.add(key.of(record));
      }
    }
    return keys;
  }

  private static JsonNode json(WebAnswer answer) throws ProviderException, BrokenAnswerException {
    if (answer.body().length > LARGEST_BODY) {
      throw ProviderException.unexpected(
          "an answer has %,d bytes, but at most %,d are read; ask for smaller pages"
              .formatted(answer.body().length, LARGEST_BODY));
    }
    try {
      JsonNode body = JSON.readTree(answer.body());
      if (body == null || body.isMissingNode()) {
        throw new BrokenAnswerException("an answer was empty, but JSON was expected");
      }
      return body;
    } catch (JacksonException e) {
      // Its message quotes the body, which is nobody's business.
      throw new BrokenAnswerException(
          "an answer is no JSON, or ends too early%s"
              .formatted(
                  answer
                      .headers()
                      .firstValue("Content-Type")
                      .map(type -> type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT))
                      .filter(SHOWN_TYPES::contains)
                      .map(" (it says it is %s)"::formatted)
                      .orElse("")));
    } catch (OutOfMemoryError e) { // what it had taken is free again; the run can say so and end
      throw ProviderException.unexpected(
          "an answer has %,d bytes, and there is not enough memory to read it; ask for smaller pages, or give Java more memory"
              .formatted(answer.body().length));
    }
  }

  private List<JsonNode> listed(JsonNode body) throws ProviderException {
    if (!records.isThere(body)) {
      if (records.isNullIn(body)) {
        return List.of();
      }
      throw ProviderException.unexpected(
          "there is nothing at %s in an answer; it is of another shape than declared"
              .formatted(records));
    }
    return records.all(body);
  }
}

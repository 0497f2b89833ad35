package dev.sluice.collect.sink.sql;

import dev.sluice.collect.connector.CollectedRecord;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The records of a slice until it is committed: in memory up to a limit, then in a temporary file
 * for the owner only. For one task at a time.
 */
final class SliceBuffer {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private static final int NODE_BYTES = 32;

  private final int limit;
  private final Map<String, Map<String, ColumnKind>> members = new LinkedHashMap<>();
  private final List<Kept> memory = new ArrayList<>();
  private long bytes;
  private @Nullable Path file;
  private @Nullable OutputStream spilling;

  /**
   * An empty one.
   *
   * @param limit how many bytes are kept in memory, by estimate
   */
  SliceBuffer(int limit) {
    this.limit = limit;
  }

  /** Takes what was kept of a record. */
  @FunctionalInterface
  interface Taker {
    /** Takes one. */
    void take(String stream, String key, String cursor, long fetched, ObjectNode body);
  }

  private record Kept(String stream, String key, String cursor, long fetched, ObjectNode body) {
    /** About how many bytes it takes. */
    long bytes() {
      return 2L * (key.length() + cursor.length()) + weight(body);
    }

    private static long weight(JsonNode node) {
      if (!node.isContainer()) {
        return NODE_BYTES + (node.isString() ? 2L * node.stringValue().length() : 0);
      }
      long sum = NODE_BYTES;
      for (JsonNode member : node) {
        sum += NODE_BYTES + weight(member);
      }
      return sum;
    }

    String line() {
      ArrayNode line = JSON.createArrayNode().add(stream).add(key).add(cursor).add(fetched);
      return line.add(body) + "\n";
    }

    static Kept read(String line) {
      JsonNode fields = JSON.readTree(line);
      return new Kept(
          fields.get(0).stringValue(),
          fields.get(1).stringValue(),
          fields.get(2).stringValue(),
          fields.get(3).longValue(),
          fields.get(4).asObject());
    }

    void give(Taker taker) {
      taker.take(stream, key, cursor, fetched, body);
    }
  }

  void add(String stream, CollectedRecord record, long fetched) throws IOException {
    Map<String, ColumnKind> kinds = members.computeIfAbsent(stream, name -> new LinkedHashMap<>());
    for (Map.Entry<String, JsonNode> member : record.body().properties()) {
      ColumnKind kind = ColumnKind.of(member.getValue());
      ColumnKind known = kinds.get(member.getKey());
      if (kind != null && kind != known) { // seldom: most records of a stream look alike
        kinds.put(member.getKey(), known == null ? kind : known.and(kind));
      }
    }
    append(new Kept(stream, record.key(), record.cursor(), fetched, record.body()));
  }

  boolean isEmpty() {
    return members.isEmpty();
  }

  /** Which members of which streams have values, and of what kind. */
  Map<String, Map<String, ColumnKind>> members() {
    return members;
  }

  /** Hands out all records, in the order in which they came. */
  void forEach(Taker taker) throws IOException {
    if (file == null || spilling == null) {
      for (Kept each : memory) {
        each.give(taker);
      }
      return;
    }
    spilling.flush();
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Kept.read(line).give(taker);
      }
    }
  }

  /** Forgets everything. */
  void clear() throws IOException {
    members.clear();
    memory.clear();
    bytes = 0;
    OutputStream open = spilling;
    Path spilled = file;
    spilling = null;
    file = null;
    if (open != null) {
      open.close();
    }
    if (spilled != null) {
      Files.deleteIfExists(spilled);
    }
  }

  private void append(Kept record) throws IOException {
    bytes += record.bytes();
    try {
      if (spilling == null && bytes <= limit) {
        memory.add(record);
        return;
      }
      if (spilling == null) {
        file = Files.createTempFile("sluice-slice", ".jsonl");
        spilling = new BufferedOutputStream(new FileOutputStream(file.toFile()), 1 << 16);
        for (Kept each : memory) {
          spilling.write(each.line().getBytes(StandardCharsets.UTF_8));
        }
        memory.clear();
      }
      spilling.write(record.line().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IOException(
          "a slice does not fit into %d bytes of memory, and %s cannot take it (%s); make room"
                  .formatted(limit, file == null ? "the temporary folder" : file, e.getMessage())
              + " there, or name another folder for temporary files (java.io.tmpdir)",
          e);
    }
  }
}

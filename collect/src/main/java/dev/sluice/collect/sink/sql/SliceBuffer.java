package dev.sluice.collect.sink.sql;

import dev.sluice.collect.connector.CollectedRecord;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
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
final class SliceBuffer implements AutoCloseable {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private final int limit;
  private final Map<String, Map<String, ColumnKind>> members = new LinkedHashMap<>();
  private ByteArrayOutputStream memory = new ByteArrayOutputStream();
  private @Nullable Path file;
  private @Nullable OutputStream spilling;

  /**
   * An empty one.
   *
   * @param limit how many bytes are kept in memory
   */
  SliceBuffer(int limit) {
    this.limit = limit;
  }

  /** Takes what was kept of a record. */
  @FunctionalInterface
  interface Taker {
    /** Takes one. */
    void take(String stream, String key, String cursor, long fetched, ObjectNode body)
        throws SQLException;
  }

  void add(String stream, CollectedRecord record, long fetched) throws IOException {
    Map<String, ColumnKind> kinds = members.computeIfAbsent(stream, name -> new LinkedHashMap<>());
    for (Map.Entry<String, JsonNode> member : record.body().properties()) {
      ColumnKind kind = ColumnKind.of(member.getValue());
      if (kind != null) {
        kinds.merge(member.getKey(), kind, ColumnKind::and);
      }
    }
    ArrayNode line =
        JSON.createArrayNode().add(stream).add(record.key()).add(record.cursor()).add(fetched);
    line.add(record.body());
    append((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  boolean isEmpty() {
    return members.isEmpty();
  }

  /** Which members of which streams have values, and of what kind. */
  Map<String, Map<String, ColumnKind>> members() {
    return members;
  }

  /** Hands out all records, in the order in which they came. */
  void forEach(Taker taker) throws IOException, SQLException {
    if (spilling != null) {
      spilling.flush();
    }
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(content(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode fields = JSON.readTree(line);
        taker.take(
            fields.get(0).stringValue(),
            fields.get(1).stringValue(),
            fields.get(2).stringValue(),
            fields.get(3).longValue(),
            fields.get(4).asObject());
      }
    }
  }

  /** Forgets everything. */
  void clear() throws IOException {
    members.clear();
    memory = new ByteArrayOutputStream();
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

  @Override
  public void close() throws IOException {
    clear();
  }

  private void append(byte[] bytes) throws IOException {
    try {
      if (spilling == null && memory.size() + bytes.length > limit) {
        file = Files.createTempFile("sluice-slice", ".jsonl");
        spilling = new BufferedOutputStream(new FileOutputStream(file.toFile()), 1 << 16);
        memory.writeTo(spilling);
        memory = new ByteArrayOutputStream();
      }
      OutputStream to = spilling == null ? memory : spilling;
      to.write(bytes);
    } catch (IOException e) {
      throw new IOException(
          "a slice does not fit into %d bytes of memory, and %s cannot take it (%s); make room"
                  .formatted(limit, file == null ? "the temporary folder" : file, e.getMessage())
              + " there, or name another folder for temporary files (java.io.tmpdir)",
          e);
    }
  }

  private InputStream content() throws IOException {
    return file == null
        ? new ByteArrayInputStream(memory.toByteArray())
        : new FileInputStream(file.toFile());
  }
}

package dev.sluice.load.input;

import static java.util.Objects.requireNonNull;

import dev.sluice.load.Rejection;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Inputs held in memory. */
final class Reading {

  private Reading() {}

  static RecordReader open(String name, String text) throws IOException {
    return open(name, text.getBytes(StandardCharsets.UTF_8), InputOptions.DEFAULTS);
  }

  static RecordReader open(String name, byte[] bytes, InputOptions options) throws IOException {
    return Input.read(name, new ByteArrayInputStream(bytes), options);
  }

  static List<RawRecord> all(RecordReader reader) throws IOException {
    List<RawRecord> records = new ArrayList<>();
    try (reader) {
      for (RawRecord record; (record = reader.next()) != null; ) {
        records.add(record);
      }
    }
    return records;
  }

  static Rejection rejection(RawRecord record) {
    return requireNonNull(record.rejection());
  }

  static List<List<String>> cells(RecordReader reader) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    for (RawRecord record : all(reader)) {
      List<String> row = new ArrayList<>();
      for (int i = 0; i < record.size(); i++) {
        row.add(record.value(i));
      }
      rows.add(row);
    }
    return rows;
  }
}

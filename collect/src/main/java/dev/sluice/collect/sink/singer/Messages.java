package dev.sluice.collect.sink.singer;

import dev.sluice.collect.connector.StreamShape;
import dev.sluice.runs.bookmark.Track;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What is sent, one message per line. Thread-safe. */
final class Messages {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final OutputStream out;
  private final OutputStream buffered;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<String> described = new HashSet<>();
  private final ObjectNode bookmarks = JSON.createObjectNode();
  private boolean gone;

  Messages(OutputStream out) {
    this.out = out;
    this.buffered = new BufferedOutputStream(out, 1 << 16);
  }

  /** A record, and before the first one of its stream what the stream is like. */
  void record(StreamShape stream, ObjectNode body) throws IOException {
    lock.lock();
    try {
      if (described.add(stream.name())) {
        send(schema(stream));
      }
      ObjectNode message = message("RECORD").put("stream", stream.name());
      message.set("record", body);
      send(message);
    } finally {
      lock.unlock();
    }
  }

  /** Notes where a track stands, without a message. */
  void note(Track track, Optional<String> cursor) {
    lock.lock();
    try {
      ObjectNode place =
          bookmarks
              .withObjectProperty(track.stream())
              .withObjectProperty(
                  track.mode().wireName() + (track.split().isEmpty() ? "" : ":" + track.split()));
      if (cursor.isPresent()) {
        place.put("cursor", cursor.get());
      } else {
        place.putNull("cursor");
      }
    } finally {
      lock.unlock();
    }
  }

  /** Where all tracks stand. */
  void state() throws IOException {
    lock.lock();
    try {
      ObjectNode message = message("STATE");
      message.putObject("value").set("bookmarks", bookmarks);
      send(message);
      flush();
    } finally {
      lock.unlock();
    }
  }

  /** All messages so far are on their way. */
  void flush() throws IOException {
    lock.lock();
    try {
      buffered.flush();
      // Such a stream keeps its troubles to itself.
      if (out instanceof PrintStream print && print.checkError()) {
        throw new IOException("no more can be written");
      }
    } catch (IOException e) {
      throw gone(e);
    } finally {
      lock.unlock();
    }
  }

  /** The same, at the end: that the reader is gone is told once. */
  void finish() throws IOException {
    lock.lock();
    try {
      if (!gone) {
        flush();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * What is known of a stream beforehand: which members tell its records apart, and which grows.
   */
  private static ObjectNode schema(StreamShape stream) {
    ObjectNode message = message("SCHEMA").put("stream", stream.name());
    ObjectNode schema = message.putObject("schema");
    schema.put("type", "object").put("additionalProperties", true);
    ObjectNode properties = schema.putObject("properties");
    ArrayNode key = message.putArray("key_properties");
    for (String member : stream.key()) {
      properties.putObject(member);
      key.add(member);
    }
    stream
        .cursor()
        .ifPresent(
            member -> {
              properties.putObject(member);
              message.putArray("bookmark_properties").add(member);
            });
    return message;
  }

  private static ObjectNode message(String type) {
    return JSON.createObjectNode().put("type", type);
  }

  private void send(ObjectNode message) throws IOException {
    try {
      buffered.write((message + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw gone(e);
    }
  }

  private IOException gone(IOException e) {
    gone = true;
    return new IOException(
        "whoever reads the Singer messages takes no more of them (%s); see why the target ended, and"
                .formatted(e.getMessage())
            + " run the same command again: it goes on from the last commit. What the target had"
            + " taken before and has not kept comes again only after sluice reset",
        e);
  }
}

package dev.sluice.collect.sink.singer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class SingerSinkTest {
  private static final Track STEADY = new Track("github", "issues", "", Mode.STEADY);
  private static final Track CATCH_UP = new Track("github", "issues", "eu", Mode.CATCH_UP);
  private static final List<StreamShape> SHAPES =
      List.of(
          new StreamShape("issues", List.of("n"), Optional.of("updated")),
          new StreamShape("comments", List.of(), Optional.empty()));

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void a_stream_is_described_once_before_its_first_record() throws Exception {
    try (SingerSink sink = new SingerSink(out)) {
      for (int fence = 1; fence <= 2; fence++) {
        SliceWriter writer = sink.open(STEADY, SHAPES, fence, Optional.empty());
        writer.write("issues", record(fence));
        writer.close();
      }
    }
    assertThat(lines())
        .containsExactly(
            "{\"type\":\"SCHEMA\",\"stream\":\"issues\",\"schema\":{\"type\":\"object\","
                + "\"additionalProperties\":true,\"properties\":{\"n\":{},\"updated\":{}}},"
                + "\"key_properties\":[\"n\"],\"bookmark_properties\":[\"updated\"]}",
            "{\"type\":\"RECORD\",\"stream\":\"issues\",\"record\":{\"n\":1}}",
            "{\"type\":\"RECORD\",\"stream\":\"issues\",\"record\":{\"n\":2}}");
  }

  @Test
  void a_state_follows_a_commit_and_only_a_commit() throws Exception {
    try (SingerSink sink = new SingerSink(out)) {
      SliceWriter writer = sink.open(STEADY, SHAPES, 1, Optional.empty());
      writer.write("comments", record(1));
      writer.giveUp();
      writer.write("comments", record(1));
      String unused = writer.prepare(SliceEnd.at("2026", true));
      assertThat(lines()).hasSize(3).noneMatch(line -> line.contains("STATE"));
      writer.acknowledge();
      assertThat(lines())
          .hasSize(4)
          .last()
          .isEqualTo(
              "{\"type\":\"STATE\",\"value\":{\"bookmarks\":{\"issues\":{\"steady\":"
                  + "{\"cursor\":\"2026\"}}}}}");
    }
  }

  @Test
  void a_state_holds_where_all_tracks_stand_also_those_that_have_not_moved_yet() throws Exception {
    String mark;
    try (SingerSink before = new SingerSink(OutputStream.nullOutputStream())) {
      SliceWriter writer = before.open(CATCH_UP, SHAPES, 1, Optional.empty());
      mark = writer.prepare(SliceEnd.at("1999", true));
    }
    try (SingerSink sink = new SingerSink(out)) {
      SliceWriter catchUp = sink.open(CATCH_UP, SHAPES, 2, Optional.of(mark));
      SliceWriter steady = sink.open(STEADY, SHAPES, 2, Optional.empty());
      String unused = steady.prepare(new SliceEnd(Optional.empty(), false));
      steady.acknowledge();
      catchUp.close();
    }
    assertThat(lines())
        .containsExactly(
            "{\"type\":\"STATE\",\"value\":{\"bookmarks\":{\"issues\":{\"catch_up:eu\":"
                + "{\"cursor\":\"1999\"},\"steady\":{\"cursor\":null}}}}}");
  }

  @Test
  void a_target_that_is_gone_is_noticed_before_the_bookmark_moves() throws Exception {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    for (OutputStream pipe :
        List.of(broken, new PrintStream(broken, false, StandardCharsets.UTF_8))) {
      SliceWriter writer = new SingerSink(pipe).open(STEADY, SHAPES, 1, Optional.empty());
      writer.write("issues", record(1));
      assertThatIOException()
          .isThrownBy(() -> writer.prepare(SliceEnd.at("x", true)))
          .withMessageContainingAll("takes no more", "why the target ended", "last commit");
    }
  }

  @Test
  void that_the_target_is_gone_is_told_once() throws Exception {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    SingerSink sink = new SingerSink(new PrintStream(broken, false, StandardCharsets.UTF_8));
    SliceWriter writer = sink.open(STEADY, SHAPES, 1, Optional.empty());
    writer.write("issues", record(1));
    assertThatIOException()
        .isThrownBy(() -> writer.prepare(SliceEnd.at("x", true)))
        .withMessageContaining("sluice reset");
    assertThatCode(writer::close).doesNotThrowAnyException();
    assertThatCode(sink::close).doesNotThrowAnyException();
  }

  @Test
  void what_does_not_belong_is_refused() throws Exception {
    SingerSink sink = new SingerSink(out);
    assertThatIOException()
        .isThrownBy(() -> sink.open(STEADY, SHAPES, 1, Optional.of("slice 4")))
        .withMessageContaining("was not written by a Singer sink");
    SliceWriter writer = sink.open(STEADY, SHAPES, 1, Optional.empty());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer.write("stars", record(1)))
        .withMessageContaining("stars");
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static CollectedRecord record(int n) {
    return new CollectedRecord(
        Integer.toString(n), "", JsonNodeFactory.instance.objectNode().put("n", n));
  }
}

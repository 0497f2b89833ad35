package dev.sluice.collect.sink.sql;

import static dev.sluice.collect.sink.sql.Bench.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.collect.sink.sql.Bench.Way;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What another database knows of a track. */
class SliceMarkerTest {
  private static final Track TRACK = new Track("github", "events", "", Mode.STEADY);
  private static final StreamShape EVENTS = new StreamShape("events", List.of(), Optional.empty());
  private static final SliceEnd END = SliceEnd.at("x", true);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "POSTGRESQL"})
  void an_older_lease_is_refused_when_it_opens_and_when_it_writes(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder)) {
      SliceWriter old = bench.open(TRACK, 6, Optional.empty(), EVENTS);
      old.write("events", record("", "", "{\"n\":1}"));
      SliceWriter next = bench.open(TRACK, 7, Optional.empty(), EVENTS);
      assertThatIOException()
          .isThrownBy(() -> old.prepare(END))
          .withMessageContainingAll("another run has taken over events", "nothing has to be done");
      assertThatIOException()
          .isThrownBy(() -> bench.open(TRACK, 6, Optional.empty(), EVENTS))
          .withMessageContaining("another run has taken over");
      next.write("events", record("", "", "{\"n\":2}"));
      String unused = bench.commit(next, END);
      assertThat(bench.rows("select n from events")).containsExactly("2");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "POSTGRESQL"})
  void a_snapshot_that_ends_where_it_began_is_not_written_twice(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder)) {
      SliceEnd beginning = new SliceEnd(Optional.empty(), false);
      SliceWriter first = bench.open(TRACK, 1, Optional.empty(), EVENTS);
      first.write("events", record("", "", "{\"n\":1}"));
      String mark = first.prepare(beginning);
      SliceWriter second = bench.open(TRACK, 2, Optional.empty(), EVENTS);
      assertThat(second.unacknowledged()).contains(beginning);
      assertThat(bench.commit(second, beginning)).isEqualTo(mark);
      assertThat(second.unacknowledged()).isEmpty();
      SliceWriter third = bench.open(TRACK, 3, Optional.of(mark), EVENTS);
      assertThat(third.unacknowledged()).isEmpty();
      assertThat(bench.rows("select n from events")).containsExactly("1");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "POSTGRESQL"})
  void a_bookmark_that_was_reset_is_not_moved_to_where_it_was(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder)) {
      SliceWriter writer = bench.open(TRACK, 1, Optional.empty(), EVENTS);
      for (int slice = 0; slice < 2; slice++) {
        writer.write("events", record("", "", "{\"n\":1}"));
        String unused = bench.commit(writer, END);
      }
      SliceWriter anew = bench.open(TRACK, 2, Optional.empty(), EVENTS);
      assertThat(anew.unacknowledged()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "POSTGRESQL"})
  void what_was_told_of_a_slice_is_kept_with_it(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder)) {
      Track track = new Track("github", "issues", "", Mode.STEADY);
      StreamShape issues = new StreamShape("issues", List.of("id"), Optional.empty());
      StreamShape comments = new StreamShape("comments", List.of("id"), Optional.empty());
      SliceWriter writer = bench.open(track, 1, Optional.empty(), issues, comments);
      writer.write("issues", record("1", "", "{\"n\":1}"));
      writer.note("the comments of 1 are missing");
      String unused = writer.prepare(END);
      SliceWriter next = bench.open(track, 2, Optional.empty(), issues, comments);
      assertThat(next.unacknowledged()).contains(END);
      assertThat(next.noted()).isEqualTo("the comments of 1 are missing");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE", "POSTGRESQL"})
  void a_slice_without_records_leaves_no_marker(Way way) throws Exception {
    try (Bench bench = new Bench(way, folder)) {
      SliceWriter writer = bench.open(TRACK, 1, Optional.empty(), EVENTS);
      assertThat(bench.commit(writer, END)).isEqualTo("slice 0");
      SliceWriter next = bench.open(TRACK, 2, Optional.empty(), EVENTS);
      assertThat(next.unacknowledged()).isEmpty();
    }
  }
}

package dev.sluice.collect.sink.jsonlines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.collect.sink.SliceWriter;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;

class JsonLinesSinkTest {
  private static final Track TRACK = new Track("github", "issues", "", Mode.STEADY);
  private static final List<StreamShape> SHAPES = List.of(shape("issues"), shape("comments"));
  private static final SliceEnd END = SliceEnd.at("x", true);

  @TempDir Path folder;

  @Test
  void a_committed_slice_is_readable_once_its_writer_is_closed() throws Exception {
    try (SliceWriter writer = open(7, Optional.empty())) {
      writer.write("issues", record(1));
      writer.write("issues", record(2));
      String unused = commit(writer);
      assertThat(files()).containsExactly("issues.steady-000007-0001.jsonl.part");
    }
    assertThat(files()).containsExactly("issues.steady-000007-0001.jsonl");
    assertThat(read("issues.steady-000007-0001.jsonl")).isEqualTo("{\"n\":1}\n{\"n\":2}\n");
  }

  @Test
  void details_have_a_file_of_their_own_that_names_their_list() throws Exception {
    try (SliceWriter writer = open(1, Optional.empty())) {
      writer.write("issues", record(1));
      writer.write("comments", record(2));
      String unused = commit(writer);
    }
    assertThat(files())
        .containsExactly(
            "comments@issues.steady-000001-0001.jsonl", "issues.steady-000001-0001.jsonl");
  }

  @Test
  void a_slice_that_is_given_up_leaves_nothing() throws Exception {
    try (SliceWriter writer = open(1, Optional.empty())) {
      writer.write("issues", record(1));
      String unused = commit(writer);
      writer.write("issues", record(2));
      writer.write("comments", record(3));
      writer.giveUp();
      writer.giveUp();
    }
    assertThat(files()).containsExactly("issues.steady-000001-0001.jsonl");
    assertThat(read("issues.steady-000001-0001.jsonl")).isEqualTo("{\"n\":1}\n");
  }

  @Test
  void a_slice_that_was_neither_committed_nor_given_up_is_dropped_by_the_close() throws Exception {
    try (SliceWriter writer = open(1, Optional.empty())) {
      writer.write("issues", record(1));
      String unused = commit(writer);
      writer.write("issues", record(2));
    }
    assertThat(read("issues.steady-000001-0001.jsonl")).isEqualTo("{\"n\":1}\n");
  }

  @Test
  void whether_a_slice_holds_whose_commit_was_never_heard_of_is_told_by_the_mark()
      throws Exception {
    for (boolean moved : new boolean[] {true, false}) {
      Track track = new Track("github", "issues", "moved-" + moved, Mode.STEADY);
      JsonLinesSink sink = new JsonLinesSink(folder);
      SliceWriter writer = sink.open(track, SHAPES, 1, Optional.empty());
      writer.write("issues", record(1));
      String before = commit(writer);
      writer.write("issues", record(2));
      String after = writer.prepare(END);
      writer.giveUp();
      assertThatIllegalStateException().isThrownBy(() -> writer.write("issues", record(3)));
      writer.close();
      String name = "issues.moved-" + moved + ".steady-000001-0001.jsonl";
      assertThat(files()).doesNotContain(name);

      sink.open(track, SHAPES, 2, Optional.of(moved ? after : before)).close();

      assertThat(read(name)).isEqualTo(moved ? "{\"n\":1}\n{\"n\":2}\n" : "{\"n\":1}\n");
    }
  }

  @Test
  void an_old_writer_that_wakes_up_appends_to_nothing_that_is_read() throws Exception {
    SliceWriter old = open(1, Optional.empty());
    old.write("issues", record(1));
    String mark = commit(old);

    try (SliceWriter next = open(2, Optional.of(mark))) {
      assertThat(files()).containsExactly("issues.steady-000001-0001.jsonl");
      old.write("issues", record(2));
      String unused = old.prepare(END);
      next.write("issues", record(3));
      String unusedToo = commit(next);
    }
    old.giveUp();
    old.close();

    assertThat(files())
        .containsExactly("issues.steady-000001-0001.jsonl", "issues.steady-000002-0001.jsonl");
    assertThat(read("issues.steady-000001-0001.jsonl")).isEqualTo("{\"n\":1}\n");
    assertThat(read("issues.steady-000002-0001.jsonl")).isEqualTo("{\"n\":3}\n");
  }

  @Test
  void an_old_writer_that_was_about_to_close_finds_its_file_finished() throws Exception {
    SliceWriter old = open(1, Optional.empty());
    old.write("issues", record(1));
    String mark = commit(old);
    open(2, Optional.of(mark)).close();
    old.write("issues", record(2));
    old.close();
    assertThat(files()).containsExactly("issues.steady-000001-0001.jsonl");
    assertThat(read("issues.steady-000001-0001.jsonl")).isEqualTo("{\"n\":1}\n");
  }

  @Test
  void a_file_that_is_large_enough_is_finished_and_the_next_mark_does_not_name_it()
      throws Exception {
    JsonLinesSink sink = new JsonLinesSink(folder, 16);
    try (SliceWriter writer = sink.open(TRACK, SHAPES, 1, Optional.empty())) {
      writer.write("issues", record(1));
      writer.write("issues", record(2));
      String unused = commit(writer);
      assertThat(files()).containsExactly("issues.steady-000001-0001.jsonl");
      writer.write("issues", record(3));
      assertThat(commit(writer)).isEqualTo("{\"issues.steady-000001-0002.jsonl\":8}");
    }
    assertThat(read("issues.steady-000001-0002.jsonl")).isEqualTo("{\"n\":3}\n");
  }

  @Test
  void a_track_that_is_opened_again_under_the_same_lease_begins_another_file() throws Exception {
    SliceWriter first = open(1, Optional.empty());
    first.write("issues", record(1));
    String mark = commit(first);
    first.close();
    try (SliceWriter second = open(1, Optional.of(mark))) {
      second.write("issues", record(2));
      String unused = commit(second);
    }
    assertThat(files())
        .containsExactly("issues.steady-000001-0001.jsonl", "issues.steady-000001-0002.jsonl");
  }

  @Test
  void tracks_leave_each_others_files_alone() throws Exception {
    JsonLinesSink sink = new JsonLinesSink(folder);
    List<Track> tracks =
        List.of(
            TRACK,
            new Track("github", "issues", "", Mode.CATCH_UP),
            new Track("github", "issues", "eu", Mode.STEADY),
            new Track("github", "issues", "EU", Mode.STEADY),
            new Track("github", "issues.eu", "", Mode.STEADY),
            new Track("github", "comments", "", Mode.STEADY),
            new Track("GitHub", "issues", "", Mode.STEADY));
    List<SliceWriter> writers = new java.util.ArrayList<>();
    for (Track track : tracks) {
      SliceWriter writer =
          sink.open(track, List.of(shape(track.stream()), shape("replies")), 1, Optional.empty());
      writer.write(track.stream(), record(1));
      writer.write("replies", record(1));
      writers.add(writer);
    }
    for (SliceWriter writer : writers) {
      String unused = commit(writer);
      writer.close();
    }
    try (Stream<Path> all = Files.walk(folder)) {
      assertThat(all.filter(Files::isRegularFile).map(path -> lower(folder.relativize(path))))
          .hasSize(2 * tracks.size())
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void an_odd_name_leads_to_no_other_folder() {
    assertThat(FileNames.plain("../../etc/passwd")).matches("[a-z_]+~[0-9a-f]{12}");
    assertThat(FileNames.plain("x".repeat(500))).hasSize(40 + 1 + 12);
    assertThat(FileNames.plain("Account")).startsWith("Account~");
    assertThat(FileNames.plain("")).matches("~[0-9a-f]{12}");
    assertThat(FileNames.plain("pull-requests")).isEqualTo("pull-requests");
  }

  @Test
  void a_file_that_was_lost_is_not_passed_over() throws Exception {
    SliceWriter writer = open(1, Optional.empty());
    writer.write("issues", record(1));
    String mark = commit(writer);
    writer.close();
    Path file = folder.resolve("github/issues.steady-000001-0001.jsonl");

    Files.writeString(file, "{");
    assertThatIOException()
        .isThrownBy(() -> open(2, Optional.of(mark)))
        .withMessageContainingAll(
            file.toString(),
            "8 bytes",
            "has 1",
            "put the file back",
            "sluice reset github --stream issues");
    Files.delete(file);
    assertThatIOException()
        .isThrownBy(() -> open(2, Optional.of(mark)))
        .withMessageContainingAll("is not there", "an empty file of that name will do");
    Files.createFile(file);
    open(2, Optional.of(mark)).close();
  }

  @Test
  void a_file_that_is_longer_than_what_was_committed_is_cut() throws Exception {
    SliceWriter writer = open(1, Optional.empty());
    writer.write("issues", record(1));
    String mark = commit(writer);
    writer.write("issues", record(2));
    String unused = commit(writer);
    writer.close();
    open(2, Optional.of(mark)).close();
    assertThat(read("issues.steady-000001-0001.jsonl")).isEqualTo("{\"n\":1}\n");
  }

  @Test
  void a_mark_of_another_sink_is_refused() {
    for (String mark : List.of("17", "rows", "{\"../x\":1}", "{\"x\":\"y\"}")) {
      assertThatIOException()
          .isThrownBy(() -> open(2, Optional.of(mark)))
          .withMessageContainingAll("was not written by a JSON Lines sink", "sink that it had");
    }
  }

  @Test
  void a_folder_that_cannot_be_written_is_named_with_what_to_do() throws Exception {
    Path file = Files.createFile(folder.resolve("occupied"));
    assertThatIOException()
        .isThrownBy(() -> new JsonLinesSink(file).open(TRACK, SHAPES, 1, Optional.empty()))
        .withMessageContainingAll(file.toString(), "cannot be written", "name another folder");
  }

  @Test
  void a_full_disk_costs_only_the_slice_and_says_so() throws Exception {
    SimulatedDisk disk = new SimulatedDisk(new SplittableRandom(1));
    SimulatedDisk.Machine process = disk.process();
    SliceWriter writer =
        new JsonLinesSink(folder, 1000, process).open(TRACK, SHAPES, 1, Optional.empty());
    writer.write("issues", record(1));
    String unused = commit(writer);
    process.fill(5);
    writer.write("issues", record(2));
    assertThatIOException()
        .isThrownBy(() -> writer.prepare(END))
        .withMessageContainingAll("the disk is full", "make room", "nothing that was committed");
    writer.giveUp();
    process.fill(100);
    writer.write("issues", record(3));
    String unusedToo = commit(writer);
    writer.close();
    assertThat(disk.readable().values()).containsExactly("{\"n\":1}\n{\"n\":3}\n");
  }

  @Test
  void a_task_that_is_interrupted_can_still_give_up_and_close() throws Exception {
    SliceWriter writer = open(1, Optional.empty());
    Thread.currentThread().interrupt();
    writer.write("issues", record(1));
    String unused = commit(writer);
    writer.write("issues", record(2));
    writer.giveUp();
    writer.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(read("issues.steady-000001-0001.jsonl")).isEqualTo("{\"n\":1}\n");
  }

  @Test
  void records_larger_than_the_buffer_stay_whole_and_in_order() throws Exception {
    try (SliceWriter writer = open(1, Optional.empty())) {
      for (int i = 0; i < 5; i++) {
        writer.write("issues", record(i));
        writer.write(
            "issues",
            new CollectedRecord(
                "x", "", JsonNodeFactory.instance.objectNode().put("t", "ä\n".repeat(40_000))));
      }
      String unused = commit(writer);
    }
    assertThat(read("issues.steady-000001-0001.jsonl").lines().map(String::length))
        .containsExactly(7, 120_008, 7, 120_008, 7, 120_008, 7, 120_008, 7, 120_008);
  }

  @Test
  void a_stream_that_the_track_was_not_opened_for_is_a_mistake() throws Exception {
    try (SliceWriter writer = open(1, Optional.empty())) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> writer.write("stars", record(1)))
          .withMessageContainingAll("stars", "issues, comments");
    }
  }

  @Test
  void a_rotation_of_nothing_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new JsonLinesSink(folder, 0))
        .withMessageContainingAll("rotation", "0", "at least 1");
  }

  private SliceWriter open(long fence, Optional<String> mark) throws IOException {
    return new JsonLinesSink(folder).open(TRACK, SHAPES, fence, mark);
  }

  private static String commit(SliceWriter writer) throws IOException, InterruptedException {
    String mark = writer.prepare(END);
    writer.acknowledge();
    return mark;
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("github"))) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  private String read(String name) throws IOException {
    return Files.readString(folder.resolve("github").resolve(name));
  }

  private static String lower(Path path) {
    return path.toString().toLowerCase(Locale.ROOT);
  }

  private static StreamShape shape(String name) {
    return new StreamShape(name, List.of("n"), Optional.empty());
  }

  private static CollectedRecord record(int n) {
    return new CollectedRecord(
        Integer.toString(n), "", JsonNodeFactory.instance.objectNode().put("n", n));
  }
}

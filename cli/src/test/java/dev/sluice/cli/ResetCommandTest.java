package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.Time;
import dev.sluice.runs.bookmark.Bookmark;
import dev.sluice.runs.bookmark.Bookmarks;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.lease.Claim;
import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What {@code sluice reset} forgets, and what it asks before. */
class ResetCommandTest extends OnStage {
  private static final Track ITEMS = new Track("mine", "items", "", Mode.STEADY);

  @BeforeEach
  void collect() {
    assertThat(stage.collect().code()).isZero();
  }

  private Optional<Bookmark> bookmark() {
    try (Store store = Store.open(stage.state(), Time.real())) {
      return store.read(transaction -> Bookmarks.find(transaction, ITEMS));
    }
  }

  @Test
  void without_a_yes_it_only_says_what_would_begin_anew() {
    Ran ran = stage.look("reset", "mine", "--stream", "items");
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.out()).contains("WOULD BEGIN ANEW", "items", "next from 20");
    assertThat(ran.err()).contains("nothing was reset; the same command with --yes does it");
    assertThat(bookmark()).flatMap(Bookmark::cursor).isPresent();
  }

  @Test
  void with_a_yes_the_next_run_collects_everything_again_beside_what_is_there() throws IOException {
    int comments = stage.ids("comments").size();
    Ran ran = stage.look("reset", "mine", "--stream", "items", "--yes");
    assertThat(ran.code()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out()).contains("BEGINS ANEW", "the next run collects all of it again");
    assertThat(bookmark()).flatMap(Bookmark::cursor).isEmpty();
    assertThat(bookmark()).flatMap(Bookmark::mark).isEmpty();
    assertThat(stage.collect().code()).isZero();
    assertThat(bookmark()).flatMap(Bookmark::cursor).isPresent();
    assertThat(stage.ids("items")).hasSize(2 * CollectStage.ITEMS);
    assertThat(stage.ids("comments")).hasSize(2 * comments);
    assertThat(stage.look("runs").out()).contains("reset");
  }

  @Test
  void the_command_that_a_run_names_when_records_were_lost_can_be_pasted_as_it_is()
      throws IOException {
    try (Stream<Path> files = Files.walk(stage.file("data"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
    }
    Ran lost = stage.collect("--output", "json");
    assertThat(lost.code()).as(lost.toString()).isEqualTo(ExitCode.FAILED.number());
    Matcher named = Pattern.compile("sluice (reset .*? --stream items)").matcher(lost.err());
    assertThat(named.find()).as(lost.err()).isTrue();
    assertThat(lost.json().path("detail").asString()).contains(named.group());
    Ran pasted = Ran.of((named.group(1) + " --yes").split(" ", -1));
    assertThat(pasted.code()).as(pasted.toString()).isZero();
    assertThat(stage.collect().code()).isZero();
    assertThat(stage.ids("items")).hasSize(CollectStage.ITEMS);
  }

  @Test
  void programs_are_told_which_tracks_and_where_they_stood() {
    JsonNode json = stage.look("reset", "mine", "--yes", "--output", "json").json();
    assertThat(json.path("reset").asBoolean()).isTrue();
    assertThat(json.path("tracks").findValuesAsString("stream")).contains("items");
    JsonNode items = json.path("tracks").findParents("cursor").getFirst();
    assertThat(items.path("stream").asString()).isEqualTo("items");
    assertThat(items.path("mode").asString()).isEqualTo("steady");
    JsonNode again = stage.look("reset", "mine", "--output", "json").json();
    assertThat(again.path("reset").asBoolean()).isFalse();
    assertThat(again.path("tracks").findParents("cursor")).isEmpty();
  }

  @Test
  void while_another_process_collects_nothing_is_reset() {
    try (Store store = Store.open(stage.state(), Time.real());
        Lease held =
            ((Claim.Taken) new Leases(store, Time.real()).take(ITEMS.leaseName())).lease()) {
      Ran ran = stage.look("reset", "mine", "--yes");
      assertThat(ran.code()).isEqualTo(ExitCode.RUNNING_ELSEWHERE.number());
      assertThat(ran.out()).isEmpty();
      assertThat(ran.err()).contains("nothing was reset", held.name(), "is being worked on by");
    }
    assertThat(bookmark()).flatMap(Bookmark::cursor).isPresent();
  }

  @Test
  void what_is_not_there_is_refused_with_what_is() {
    assertThat(stage.look("reset", "mien", "--yes").err())
        .contains("there is no collection 'mien'");
    Ran stream = stage.look("reset", "mine", "--stream", "itens", "--yes");
    assertThat(stream.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(stream.err()).contains("--stream names 'itens'", "did you mean items?");
    assertThat(stage.look("reset", "mine", "--stream", "items", "--split", "x", "--yes").err())
        .contains("--split names 'x'");
    assertThat(stage.look("reset", "mine", "--split", "x", "--yes").err())
        .contains("name that, too, with --stream");
    assertThat(bookmark()).flatMap(Bookmark::cursor).isPresent();
  }
}

package dev.sluice.arena.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.arena.Arena;
import dev.sluice.arena.Leagues;
import dev.sluice.arena.Progress;
import dev.sluice.arena.Results;
import dev.sluice.arena.Selection;
import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Policies, peers and worlds still do what the committed report says. */
class GoldenReportTest {
  private static final Path FOLDER = Path.of("..", "docs", "arena", "golden");
  private static final String AGAIN =
      "What is played now differs from what is committed. If that was meant, write it anew with"
          + " `./sluice arena --golden --report docs/arena/golden`, look at the difference, and"
          + " commit it.";

  private static String markdown = "";
  private static String html = "";

  @BeforeAll
  static void play() throws InterruptedException {
    Arena arena = new Arena(Leagues.all(), Time.real(), Runtime.getRuntime().availableProcessors());
    Results results = arena.play(Selection.GOLDEN, Progress.NOBODY);
    markdown = MarkdownReport.of(results);
    html = HtmlReport.of(results, arena.trace(Selection.GOLDEN, Progress.NOBODY));
  }

  @Test
  void the_committed_figures_are_those_that_are_played() throws IOException {
    assertThat(markdown).as(AGAIN).isEqualTo(Files.readString(FOLDER.resolve("report.md")));
  }

  @Test
  void the_committed_pictures_are_those_that_are_drawn() throws IOException {
    // Not isEqualTo: a failure would print the whole page twice.
    assertThat(html.equals(Files.readString(FOLDER.resolve("report.html")))).as(AGAIN).isTrue();
  }
}

package dev.sluice.arena.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.arena.Arena;
import dev.sluice.arena.Leagues;
import dev.sluice.arena.Progress;
import dev.sluice.arena.Results;
import dev.sluice.arena.Selection;
import dev.sluice.arena.Size;
import dev.sluice.arena.TinyLeague;
import dev.sluice.gate.time.Time;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final Selection SELECTION =
      Selection.QUICK.withSizes(List.of(new Size(0.5), Size.HOUR)).withRandom(2, 4);

  private static String everything(Arena arena, Selection selection) throws InterruptedException {
    Results results = arena.play(selection, Progress.NOBODY);
    return MarkdownReport.of(results)
        + HtmlReport.of(results, arena.trace(selection, Progress.NOBODY))
        + TextReport.of(results)
        + JsonReport.of(results);
  }

  private static Arena tiny() {
    return new Arena(List.of(new TinyLeague()), Time.real(), 2);
  }

  private static String markdown() throws InterruptedException {
    return MarkdownReport.of(tiny().play(SELECTION, Progress.NOBODY));
  }

  @Test
  void the_reports_of_real_bouts_are_equal_on_one_task_and_on_several()
      throws InterruptedException {
    Selection selection =
        Selection.GOLDEN
            .withScenarios(List.of("one-server"))
            .withSizes(List.of(new Size(1)))
            .withRandom(0, 0);
    assertThat(everything(new Arena(Leagues.all(), Time.real(), 1), selection))
        .isEqualTo(everything(new Arena(Leagues.all(), Time.real(), 3), selection));
  }

  @Test
  @SuppressWarnings("JavaLocale") // the machine's own must not matter, so it is changed
  void reports_are_equal_in_every_locale() throws InterruptedException {
    String here = everything(tiny(), SELECTION);
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(everything(tiny(), SELECTION)).isEqualTo(here);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void lines_end_with_a_line_feed_and_nothing_else() throws InterruptedException {
    assertThat(everything(tiny(), SELECTION)).doesNotContain("\r");
  }

  @Test
  void a_table_has_a_row_for_each_policy_and_a_column_for_each_size() throws InterruptedException {
    assertThat(markdown())
        .contains("| policy | 0.5 w | 1 h |\n|---|---:|---:|\n| single | ")
        .contains("| fitting * | 1.000 / 0.00 % | 1.000 / 0.00 % |");
  }

  @Test
  void goals_are_met_or_missed_by_what_was_played() throws InterruptedException {
    assertThat(markdown())
        .contains(
            "| fits: fitting, 1 h | ≥ 1.000 / ≤ 0.00 %, no suspension | 1.000 / 0.00 %, 0 suspended"
                + " | met |")
        .containsPattern("\\| alone: single, 1 h \\| [^|]+ \\| 0\\.069 / 0\\.00 % \\| missed \\|");
  }

  @Test
  void the_command_that_repeats_it_stands_in_the_report() throws InterruptedException {
    assertThat(markdown())
        .contains("`./sluice arena --job 0.5,hour --seed 1 --seeds 1 --random 2 --random-from 4`");
  }

  @Test
  void the_page_needs_nothing_from_elsewhere() throws InterruptedException {
    String page =
        HtmlReport.of(
            tiny().play(SELECTION, Progress.NOBODY), tiny().trace(SELECTION, Progress.NOBODY));
    assertThat(page).doesNotContainPattern("(?i)https?:|src=|<script|<link|@import|url\\(");
    assertThat(page).contains("<svg", "prefers-color-scheme: dark");
  }

  @Test
  void names_are_escaped_in_the_page_and_in_json() {
    assertThat(Svg.escape("a<b> & \"c\"")).isEqualTo("a&lt;b&gt; &amp; &quot;c&quot;");
  }
}

package dev.sluice.cli;

import dev.sluice.arena.report.HtmlPage;
import dev.sluice.arena.report.Svg;
import dev.sluice.arena.report.TimeStrips;
import dev.sluice.cli.LoadHistory.Slot;
import dev.sluice.dataverse.bulk.BulkProgress;
import dev.sluice.load.input.Format;
import dev.sluice.load.input.Input;
import dev.sluice.load.reject.RejectReasons;
import dev.sluice.load.run.LoadProgress;
import dev.sluice.load.run.LoadRequest;
import dev.sluice.load.run.LoadResult;
import dev.sluice.runs.run.Outcome;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A load as one HTML page without anything from elsewhere: what came of it, what limited it and
 * what would change that, how fast it was over time, and what was rejected.
 */
final class LoadReport {
  private static final double WIDTH = 720;
  private static final double LEFT = 56;
  private static final double BAND = 20;
  private static final int MOST_SLICES = 240;
  private static final int[] STEPS = {
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400
  };

  private static final String STYLE =
      """
      figure { overflow-x: auto; } figure svg { min-width: 34rem; }
      svg .hold { fill: var(--bad); fill-opacity: 0.55; }
      svg .lane { fill: var(--grid); fill-opacity: 0.45; }
      .tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(7.5rem, 1fr)); gap: 0.75rem; }
      .tile { background: var(--card); border-radius: 8px; padding: 0.6rem 0.9rem; color: var(--quiet); font-size: 0.85rem; }
      .tile b { display: block; font-size: 1.35rem; color: var(--ink); font-variant-numeric: tabular-nums; }
      .tile.bad b { color: var(--bad); }
      .shares { display: grid; grid-template-columns: max-content 1fr max-content; gap: 0.3rem 0.8rem; align-items: center; max-width: 48rem; font-size: 0.9rem; }
      .bar { background: var(--grid); border-radius: 4px; height: 0.7rem; overflow: hidden; }
      .bar i { display: block; background: var(--ours); height: 100%; }
      .dot.hold { background: var(--bad); opacity: 0.55; border-radius: 2px; width: 18px; }
      td { vertical-align: top; overflow-wrap: anywhere; }
      td:first-child { white-space: nowrap; }
      @media (max-width: 32rem) { .shares { grid-template-columns: 1fr max-content; } .shares .bar { display: none; } }
      """;

  private final LoadRequest request;
  private final LoadResult result;
  private final LoadAdvice advice;
  private final HtmlPage page;

  private LoadReport(LoadRequest request, LoadResult result, LoadAdvice advice) {
    this.request = request;
    this.result = result;
    this.advice = advice;
    this.page = new HtmlPage(title(), ReportFile.HEAD, STYLE);
  }

  /** Where it is written if nobody says where: beside the input, as rejected records are. */
  static Path beside(String source) {
    if (source.equals(Input.STANDARD_INPUT)) {
      return Path.of("stdin.report.html");
    }
    Path path = Path.of(source);
    String name = Format.unpacked(String.valueOf(path.getFileName()));
    int dot = name.lastIndexOf('.');
    return path.resolveSibling((dot > 0 ? name.substring(0, dot) : name) + ".report.html");
  }

  /** The page. */
  static String page(LoadRequest request, LoadResult result, LoadAdvice advice) {
    return new LoadReport(request, result, advice).write();
  }

  private String title() {
    String source =
        request.source().equals(Input.STANDARD_INPUT)
            ? "standard input"
            : String.valueOf(Path.of(request.source()).getFileName());
    return "%s of %s into %s"
        .formatted(
            switch (request.operation()) {
              case CREATE -> "Load";
              case UPDATE -> "Update";
              case UPSERT -> "Upsert";
              case DELETE -> "Delete";
            },
            source,
            request.table().logicalName());
  }

  private String write() {
    page.heading(1, title()).paragraph(outcome());
    if (result.resumed()) {
      page.paragraph(
          "It went on with an earlier run. Counts of records include that; times, rates and"
              + " messages are those of this run.");
    }
    tiles();
    limits();
    overTime();
    rejects();
    details();
    return page.end();
  }

  private String outcome() {
    return switch (result.outcome()) {
      case Outcome.Completed completed -> "Completed: every record is in.";
      case Outcome.CompletedWithRejections rejections ->
          "Completed, except for the records that were rejected.";
      case Outcome.Cancelled cancelled ->
          "Stopped by somebody. The same command goes on from here.";
      case Outcome.Deferred deferred ->
          "Deferred, because %s (%s). The same command goes on from here."
              .formatted(deferred.reason().words(), deferred.detail());
      case Outcome.Failed failed ->
          "Failed, because %s (%s). Once that is mended, the same command goes on."
              .formatted(failed.reason().words(), failed.detail());
      case Outcome.CompletedWithGaps gaps -> "Completed, with gaps.";
      case Outcome.AlreadyRunning running -> "Another process is at this load.";
    };
  }

  private void tiles() {
    LoadProgress progress = result.progress();
    BulkProgress sending = progress.sending();
    page.html("<div class=\"tiles\">\n");
    tile("done", "%,d".formatted(progress.done()), false);
    tile("rejected", "%,d".formatted(progress.rejected()), progress.rejected() > 0);
    tile("deferred", "%,d".formatted(result.deferred()), result.deferred() > 0);
    tile("time", Times.span(sending.elapsed().toMillis()), false);
    tile("rows/s", "%,.0f".formatted(sending.perSecond()), false);
    tile("messages", "%,d".formatted(sending.messages()), false);
    long throttled = sending.throttles().values().stream().mapToLong(Long::longValue).sum();
    tile("of them throttled", "%,d".formatted(throttled), false);
    page.html("</div>\n");
  }

  private void tile(String name, String figure, boolean bad) {
    page.html(
        "<div class=\"tile%s\"><b>%s</b>%s</div>\n"
            .formatted(bad ? " bad" : "", Svg.escape(figure), Svg.escape(name)));
  }

  private void limits() {
    page.heading(2, "What limited it");
    String words = advice.words(result);
    if (words.isEmpty()) {
      page.paragraph("It was too short to tell.");
      return;
    }
    page.paragraph(words);
    page.html("<div class=\"shares\">\n");
    double seconds = advice.history().all().seconds();
    for (Map.Entry<LoadLimit, Double> entry : advice.shares()) {
      double percent = 100 * entry.getValue();
      if (percent >= 0.5) {
        page.html(
            "<span>%s</span><div class=\"bar\"><i style=\"width:%s%%\"></i></div><span class=\"n\">%.0f %%, %s</span>\n"
                .formatted(
                    Svg.escape(entry.getKey().words()),
                    String.valueOf(Math.round(percent)),
                    percent,
                    Times.span(Math.round(entry.getValue() * seconds * 1_000))));
      }
    }
    page.html("</div>\n");
    page.html(
        "<p class=\"key\">Shares of the time, all users together. What would change it follows from"
            + " the documented limits and from how long messages took.</p>\n");
  }

  private void overTime() {
    double seconds = advice.history().all().seconds();
    if (seconds <= 0) {
      return;
    }
    page.heading(2, "Over time");
    page.html(
        """
        <p class="key"><span class="dash flow"></span>what was sent
        <span class="dash limit"></span>how many requests might have been in flight
        <span class="dot hold"></span>left alone after a throttle</p>
        """);
    page.html("<figure>" + chart(seconds) + "</figure>\n");
  }

  private String chart(double seconds) {
    int count = Math.clamp(Math.round(seconds * 2), 4, MOST_SLICES);
    List<Slot> slices = advice.history().slices(count);
    List<String> users = List.copyOf(advice.history().all().held().keySet());
    double height = 16 + 110 + 16 + 80 + 16 + users.size() * BAND + 20;
    double[] rates = IntStream.range(0, count).mapToDouble(slice -> rate(slices, slice)).toArray();
    double fastest =
        Math.max(1, IntStream.range(0, count).mapToDouble(i -> rates[i]).max().orElse(1)) * 1.1;
    double most =
        Math.max(
                1,
                slices.stream()
                    .mapToDouble(
                        slot -> Math.max(slot.parallelism(), slot.inFlight()) / slot.seconds())
                    .max()
                    .orElse(1))
            * 1.1;
    TimeStrips strips =
        new TimeStrips(WIDTH, height, LEFT, count, "rows per second, requests and waits over time");
    strips.strip("rows per second", "%,.0f".formatted(fastest), 110);
    strips.curve("flow", slice -> rates[slice], fastest, 110).below(110);
    strips.strip("requests in flight", "%,.0f".formatted(most), 80);
    strips.curve("limit", i -> slices.get(i).parallelism() / slices.get(i).seconds(), most, 80);
    strips.curve("flow", i -> slices.get(i).inFlight() / slices.get(i).seconds(), most, 80);
    strips.below(80);
    for (String user : users) {
      strips.band(
          "hold",
          user,
          i -> slices.get(i).held().getOrDefault(user, 0.0) / slices.get(i).seconds(),
          BAND);
    }
    int step = step(seconds);
    for (int second = 0; second <= seconds; second += step) {
      strips.tick(second == 0 ? "tick" : "tick middle", second / seconds, label(second, step));
    }
    return strips.end();
  }

  /** Over five slices: rows are settled in messages, not one by one. */
  private static double rate(List<Slot> slices, int middle) {
    double rows = 0;
    double seconds = 0;
    for (int i = Math.max(0, middle - 2); i <= Math.min(slices.size() - 1, middle + 2); i++) {
      rows += slices.get(i).rows();
      seconds += slices.get(i).seconds();
    }
    return rows / seconds;
  }

  private static int step(double seconds) {
    for (int step : STEPS) {
      if (seconds / step <= 8) {
        return step;
      }
    }
    return 604_800;
  }

  private static String label(int second, int step) {
    return step < 60 ? second + " s" : step < 3_600 ? second / 60 + " min" : second / 3_600 + " h";
  }

  private void rejects() {
    RejectReasons rejected = result.progress().reasons();
    if (result.progress().rejected() == 0) {
      return;
    }
    page.heading(2, "Rejected records");
    List<List<String>> rows = new ArrayList<>();
    for (RejectReasons.Reason reason : rejected.reasons()) {
      rows.add(
          List.of(
              reason.code(),
              reason.message(),
              reason.line() > 0 ? "line " + reason.line() : "",
              "%,d".formatted(reason.count())));
    }
    if (rejected.others() > 0) {
      rows.add(List.of("", "other reasons", "", "%,d".formatted(rejected.others())));
    }
    page.table(3, List.of("code", "reason", "first", "records"), rows);
    result
        .rejects()
        .ifPresent(
            file ->
                page.paragraph("All of them, each with its reason, are in %s.".formatted(file)));
  }

  private void details() {
    BulkProgress sending = result.progress().sending();
    page.heading(2, "Details");
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("environment", request.environment()));
    rows.add(List.of("input", request.source()));
    rows.add(
        List.of(
            "records read",
            "%,d%s"
                .formatted(
                    result.progress().read(),
                    result.complete() ? "" : "; the input was not read to its end")));
    rows.add(List.of("application users", String.valueOf(advice.users())));
    rows.add(
        List.of(
            "a message took",
            Times.span(Math.round(advice.history().secondsPerMessage() * 1_000)) + " on average"));
    rows.add(List.of("throttled", LoadScreen.throttles(sending.throttles())));
    rows.add(List.of("sent again", LoadScreen.repeated(sending.repeated())));
    rows.add(List.of("sent again in halves", "%,d".formatted(sending.halved())));
    rows.add(List.of("nothing was with the service", LoadScreen.idle(sending.idle())));
    page.table(2, List.of("", ""), rows);
  }
}

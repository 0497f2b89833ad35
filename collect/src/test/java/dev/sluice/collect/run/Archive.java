package dev.sluice.collect.run;

import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * A provider with lines of records that grow, details of some of them, and moods: by chance it
 * throttles, fails, drops the connection or takes its time. It remembers whom it told to wait, and
 * who came all the same.
 *
 * <p>{@code /NAME/SPLIT?from=3&limit=5} answers the records of a line, {@code /notes/RECORD} the
 * notes to one.
 */
final class Archive {
  /** The header of an answer after which everything has to be read again. */
  static final String SHIFTED = "Shifted";

  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  /** Its own, which nobody sets. */
  private static final Instant OPENED = Instant.parse("2026-01-01T00:00:00Z");

  /** A date is read by what is known of the clock here, which is good to some seconds. */
  private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(6);

  private final Time time;
  private final RandomGenerator random;
  private final int trouble;
  private final boolean tellsDates;
  private final Map<String, Integer> lengths = new TreeMap<>();
  private final Map<String, Integer> refusalsLeft = new HashMap<>();
  private final List<Told> told = new ArrayList<>();
  private final IdentityHashMap<WebAnswer, Told> unheard = new IdentityHashMap<>();
  private final List<String> early = new ArrayList<>();
  private Duration setForward = Duration.ZERO;
  private boolean calm;

  /**
   * A process was told not to come before a time. Once it has {@code heard} of it, that holds for
   * itself; once it is {@code stored}, for all.
   */
  private static final class Told {
    final int process;
    final long until;
    boolean heard;
    boolean stored;
    Duration setForwardBefore = Duration.ZERO;

    Told(int process, long until) {
      this.process = process;
      this.until = until;
    }
  }

  /**
   * Empty lines.
   *
   * @param trouble so many requests in a hundred are not served
   * @param tellsDates whether it may tell until when to wait, instead of how long
   */
  Archive(Time time, RandomGenerator random, int trouble, boolean tellsDates) {
    this.time = time;
    this.random = random;
    this.trouble = trouble;
    this.tellsDates = tellsDates;
  }

  /** Lets a line grow. */
  void grow(String line, int by) {
    int unused = lengths.merge(line, by, Integer::sum);
  }

  /** How many records a line has. */
  int length(String line) {
    return lengths.getOrDefault(line, 0);
  }

  /** From now on it answers every request at once, and well, but for what it refuses for good. */
  void calmDown() {
    calm = true;
  }

  /** Refuses the notes to a record so many times. */
  void refuse(String record, int times) {
    refusalsLeft.put(record, times);
  }

  /** All of a line. */
  List<String> records(String line) {
    return records(line, 0, length(line));
  }

  /** Those of a line from one place to before another. */
  static List<String> records(String line, int from, int to) {
    return IntStream.range(from, to).mapToObj(place -> line + "-" + place).toList();
  }

  /** The notes to a record: up to two; none if there never are any. */
  static List<String> notes(String record) {
    return hasNone(record)
        ? List.of()
        : IntStream.range(0, Math.floorMod(record.hashCode(), 3))
            .mapToObj(number -> record + "+" + number)
            .toList();
  }

  private static boolean hasNone(String record) {
    return Math.floorMod(record.hashCode(), 11) == 0;
  }

  /** Who came before the time that they had been told, or that was stored for them. */
  List<String> early() {
    return early;
  }

  /** Somebody has set the wall clock: what is stored may seem to be over so much sooner. */
  void clockWasSet(Duration by) {
    setForward = by.isPositive() ? setForward.plus(by) : setForward;
  }

  /** What a process was told is in the store. */
  void stored(int process) {
    for (Told word : told) {
      if (word.process == process && word.heard && !word.stored) {
        word.stored = true;
        word.setForwardBefore = setForward;
      }
    }
  }

  /** An answer has come to whom it was for. */
  void heard(WebAnswer answer) {
    Told word = unheard.remove(answer);
    if (word != null) {
      word.heard = true;
    }
  }

  /** The way of a process to here. */
  Transport wire(int process) {
    return request -> answer(process, request);
  }

  private WebAnswer answer(int process, WebRequest request)
      throws IOException, InterruptedException {
    checkNotEarly(process);
    if (calm) {
      time.sleep(Duration.ofMillis(20));
      return served(request, false);
    }
    // Now and then longer than a lease lasts without being renewed.
    boolean slow = random.nextInt(30) == 0;
    time.sleep(Duration.ofMillis(slow ? random.nextInt(80_000) : random.nextInt(5, 300)));
    if (random.nextInt(100) >= trouble) {
      return served(request, random.nextInt(200) < trouble);
    }
    return switch (random.nextInt(6)) {
      case 0 -> throw new IOException("the connection was closed without an answer");
      case 1 -> answer(500, Map.of(), "{}");
      case 2 -> answer(503, Map.of(), "{}");
      default -> throttled(process);
    };
  }

  private void checkNotEarly(int process) {
    long now = time.nanos();
    for (Told word : told) {
      boolean own = word.process == process;
      long sooner = own ? 0 : setForward.minus(word.setForwardBefore).toNanos();
      long left = word.until - now - sooner;
      if (left > 0 && (own ? word.heard : word.stored)) {
        early.add(
            "process %d came %s before the time that process %d was told"
                .formatted(process, Duration.ofNanos(left), word.process));
      }
    }
    told.removeIf(word -> word.until - now <= 0);
  }

  private WebAnswer throttled(int process) {
    Duration wait =
        Duration.ofSeconds(
            random.nextInt(8) == 0 ? random.nextInt(121, 900) : random.nextInt(10, 60));
    boolean asDate = tellsDates && random.nextBoolean();
    WebAnswer answer =
        answer(
            429,
            Map.of("Retry-After", asDate ? date(wait) : String.valueOf(wait.toSeconds())),
            "{}");
    Duration certain = asDate ? wait.minus(CLOCKS_DIFFER) : wait;
    Told word = new Told(process, time.deadline(certain));
    told.add(word);
    unheard.put(answer, word);
    return answer;
  }

  private String date(Duration fromNow) {
    return HTTP_DATE.format(OPENED.plusNanos(time.nanos()).plus(fromNow));
  }

  private WebAnswer served(WebRequest request, boolean shifted) {
    String path = String.valueOf(request.uri().getPath());
    if (path.startsWith("/notes/")) {
      return notesOf(path.substring("/notes/".length()));
    }
    String line = path.substring(1).replace('/', '-');
    int from = parameter(request, "from");
    int to = Math.min(from + parameter(request, "limit"), length(line));
    return answer(
        200,
        shifted ? Map.of(SHIFTED, "yes") : Map.of(),
        body(records(line, from, Math.max(from, to))));
  }

  private WebAnswer notesOf(String record) {
    if (hasNone(record)) {
      return answer(404, Map.of(), "{}");
    }
    int left = refusalsLeft.merge(record, -1, Integer::sum);
    return left >= 0 ? answer(403, Map.of(), "{}") : answer(200, Map.of(), body(notes(record)));
  }

  private static int parameter(WebRequest request, String name) {
    return Integer.parseInt(
        String.valueOf(request.uri().getQuery()).replaceFirst(".*\\b" + name + "=(\\d+).*", "$1"));
  }

  private static String body(List<String> records) {
    return records.isEmpty() ? "[]" : "[\"" + String.join("\",\"", records) + "\"]";
  }

  private WebAnswer answer(int status, Map<String, String> headers, String body) {
    Map<String, List<String>> lines = new TreeMap<>();
    lines.put("Date", List.of(date(Duration.ZERO)));
    headers.forEach((name, value) -> lines.put(name, List.of(value)));
    return new WebAnswer(
        status,
        HttpHeaders.of(lines, (name, value) -> true),
        body.getBytes(StandardCharsets.UTF_8));
  }
}

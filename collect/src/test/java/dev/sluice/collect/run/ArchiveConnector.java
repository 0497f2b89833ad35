package dev.sluice.collect.run;

import dev.sluice.collect.connector.Authorization;
import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.DetailStream;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.connector.Pacing;
import dev.sluice.collect.connector.Provider;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.ReadAgainException;
import dev.sluice.collect.connector.Records;
import dev.sluice.collect.connector.Requests;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.gate.http.Signals;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.bookmark.Mode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads an {@link Archive}: each line is a stream, or one of its splits; a cursor is a place in it.
 * A slice takes some requests, fewer if it was too large.
 */
final class ArchiveConnector implements Connector {
  static final String LANE = "archive";

  /** The stream of the notes to all records that have some. */
  static final String NOTES = "notes";

  private static final JsonMapper JSON = JsonMapper.shared();

  private final Archive archive;
  private final List<Line> lines;
  private final Provider provider =
      new Provider(
          LANE, Pacing.always(LaneOptions.fixed(2)), Signals.builder().build(), Authorization.NONE);

  /**
   * One stream.
   *
   * @param splits how many parts it has
   * @param caughtUp whether what is there at first is for catch-up to read
   * @param keyed whether its records have keys
   * @param noted whether notes to its records are wanted
   * @param notesKeyed whether those have keys
   * @param page how many records a request asks for
   * @param requests how many requests a slice takes
   */
  record Line(
      String name,
      int splits,
      boolean caughtUp,
      boolean keyed,
      boolean noted,
      boolean notesKeyed,
      int page,
      int requests) {
    /** What the archive calls its parts, and sinks their records. */
    List<String> lines() {
      return names().stream().map(split -> name + "-" + split).toList();
    }

    List<String> names() {
      return List.of("a", "b", "c").subList(0, splits);
    }
  }

  ArchiveConnector(Archive archive, List<Line> lines) {
    this.archive = archive;
    this.lines = List.copyOf(lines);
  }

  List<Line> lines() {
    return lines;
  }

  /** Whether notes to a stream's records are wanted. */
  boolean isNoted(String stream) {
    return lines.stream().anyMatch(line -> line.name().equals(stream) && line.noted());
  }

  @Override
  public String name() {
    return "archive";
  }

  @Override
  public Provider provider() {
    return provider;
  }

  @Override
  public List<ListStream> streams() {
    return lines.stream().<ListStream>map(Stream::new).toList();
  }

  private static StreamShape shape(String name, boolean keyed) {
    return new StreamShape(name, keyed ? List.of("id") : List.of(), Optional.empty());
  }

  private static CollectedRecord record(String id, boolean keyed) {
    return new CollectedRecord(
        keyed ? id : "", "", JsonNodeFactory.instance.objectNode().put("id", id));
  }

  private static int read(String target, Requests requests, boolean keyed, Records records)
      throws ProviderException, ReadAgainException, IOException, InterruptedException {
    WebRequest request =
        new WebRequest(
            "GET",
            URI.create("http://archive" + target),
            List.of(),
            new byte[0],
            Duration.ofSeconds(30));
    WebAnswer answer = requests.send(request);
    int count = 0;
    for (JsonNode id : JSON.readTree(answer.body())) {
      records.accept(record(id.asString(), keyed));
      count++;
    }
    if (answer.headers().firstValue(Archive.SHIFTED).isPresent()) {
      throw ReadAgainException.shifted("records came or went");
    }
    return count;
  }

  private final class Stream implements ListStream {
    private final Line line;

    Stream(Line line) {
      this.line = line;
    }

    @Override
    public StreamShape shape() {
      return ArchiveConnector.shape(line.name(), line.keyed());
    }

    @Override
    public List<String> splits() {
      return line.names();
    }

    @Override
    public Optional<String> horizon(Instant now) {
      return line.caughtUp()
          ? Optional.of(String.valueOf(archive.length(line.lines().getFirst())))
          : Optional.empty();
    }

    @Override
    public Duration interval() {
      return Duration.ofMinutes(10);
    }

    @Override
    public List<DetailStream> details() {
      return line.noted() ? List.of(new Notes(line.notesKeyed())) : List.of();
    }

    @Override
    public boolean canShrink(SliceStart start) {
      return requests(start) > 1;
    }

    private int requests(SliceStart start) {
      return Math.max(1, line.requests() >> start.shrink());
    }

    @Override
    public SliceEnd read(SliceStart start, Requests requests, Records records)
        throws ProviderException, ReadAgainException, IOException, InterruptedException {
      boolean history = start.mode() == Mode.CATCH_UP;
      int horizon = start.horizon().map(Integer::parseInt).orElse(0);
      int place = start.cursor().map(Integer::parseInt).orElse(history ? 0 : horizon);
      int end = history ? horizon : Integer.MAX_VALUE;
      int left = requests(start);
      boolean more = place < end;
      while (left > 0 && more) {
        int limit = Math.min(line.page(), end - place);
        String target =
            "/%s/%s?from=%d&limit=%d".formatted(line.name(), start.split(), place, limit);
        int found = ArchiveConnector.read(target, requests, line.keyed(), records);
        place += found;
        more = found == limit && place < end;
        left--;
      }
      return SliceEnd.at(String.valueOf(place), more);
    }
  }

  private record Notes(boolean keyed) implements DetailStream {
    @Override
    public StreamShape shape() {
      return ArchiveConnector.shape(NOTES, keyed);
    }

    @Override
    public boolean wants(CollectedRecord parent) {
      return true;
    }

    @Override
    public ObjectNode remembered(CollectedRecord parent) {
      return parent.body();
    }

    @Override
    public void read(String split, ObjectNode parent, Requests requests, Records records)
        throws ProviderException, ReadAgainException, IOException, InterruptedException {
      int unused =
          ArchiveConnector.read("/notes/" + parent.path("id").asString(), requests, keyed, records);
    }
  }
}

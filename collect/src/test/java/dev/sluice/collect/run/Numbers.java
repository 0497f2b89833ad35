package dev.sluice.collect.run;

import dev.sluice.collect.connector.Authorization;
import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.connector.Pacing;
import dev.sluice.collect.connector.Provider;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.Records;
import dev.sluice.collect.connector.Requests;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.gate.http.Signals;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.bookmark.Mode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A stream of numbers from 0 up to the newest, each a slice, with a history to catch up on. Each
 * may take a request.
 */
final class Numbers implements Connector {
  private final Provider provider =
      new Provider(
          "numbers",
          Pacing.always(LaneOptions.fixed(1)),
          Signals.builder().build(),
          Authorization.NONE);
  private final boolean asks;
  private long newest;

  Numbers(long newest) {
    this(newest, false);
  }

  private Numbers(long newest, boolean asks) {
    this.newest = newest;
    this.asks = asks;
  }

  /** The provider is asked for each of them. */
  static Numbers asked(long newest) {
    return new Numbers(newest, true);
  }

  /** There is one more. */
  void grow() {
    newest++;
  }

  @Override
  public String name() {
    return "numbers";
  }

  @Override
  public Provider provider() {
    return provider;
  }

  @Override
  public List<ListStream> streams() {
    return List.of(new Line());
  }

  private final class Line implements ListStream {
    @Override
    public StreamShape shape() {
      return new StreamShape("numbers", List.of("n"), Optional.of("n"));
    }

    @Override
    public Optional<String> horizon(Instant now) {
      return Optional.of(String.valueOf(newest));
    }

    @Override
    public Duration interval() {
      return Duration.ofHours(1);
    }

    @Override
    public SliceEnd read(SliceStart start, Requests requests, Records records)
        throws ProviderException, IOException, InterruptedException {
      long horizon = Long.parseLong(start.horizon().orElseThrow());
      long beginning = start.mode() == Mode.STEADY ? horizon : 0;
      long end = start.mode() == Mode.STEADY ? newest + 1 : horizon;
      long place = start.cursor().map(Long::parseLong).orElse(beginning);
      if (place < end) {
        if (asks) {
          requests.send(
              new WebRequest(
                  "GET",
                  URI.create("http://localhost/numbers/" + place),
                  List.of(),
                  new byte[0],
                  Duration.ofSeconds(30)));
        }
        records.accept(
            new CollectedRecord(
                String.valueOf(place),
                String.valueOf(place),
                JsonNodeFactory.instance.objectNode().put("n", place)));
        place++;
      }
      return SliceEnd.at(String.valueOf(place), place < end);
    }
  }
}

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
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;

/** So many days, each a record and a request, in windows that can be halved. */
final class Windows implements Connector {
  private final Provider provider =
      new Provider(
          "windows",
          Pacing.always(LaneOptions.fixed(1)),
          Signals.builder().build(),
          Authorization.NONE);
  private final int days;
  private final int window;

  Windows(int days, int window) {
    this.days = days;
    this.window = window;
  }

  @Override
  public String name() {
    return "windows";
  }

  @Override
  public Provider provider() {
    return provider;
  }

  @Override
  public List<ListStream> streams() {
    return List.of(new Days());
  }

  private final class Days implements ListStream {
    @Override
    public StreamShape shape() {
      return new StreamShape("days", List.of("day"), Optional.empty());
    }

    @Override
    public Duration interval() {
      return Duration.ofHours(1);
    }

    @Override
    public boolean canShrink(SliceStart start) {
      return window >> start.shrink() > 1;
    }

    @Override
    public SliceEnd read(SliceStart start, Requests requests, Records records)
        throws ProviderException, IOException, InterruptedException {
      int from = start.cursor().map(Integer::parseInt).orElse(0);
      int end = Math.min(days, from + Math.max(1, window >> start.shrink()));
      for (int day = from; day < end; day++) {
        requests.send(
            new WebRequest(
                "GET",
                URI.create("http://localhost/days/" + day),
                List.of(),
                new byte[0],
                Duration.ofSeconds(30)));
        records.accept(
            new CollectedRecord(
                String.valueOf(day), "", JsonNodeFactory.instance.objectNode().put("day", day)));
      }
      return SliceEnd.at(String.valueOf(end), end < days);
    }
  }
}

package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.store.Store;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/** Which of a collection's streams has its turn first: none keeps another from it for good. */
class CollectorTurnsTest {
  /**
   * A list of one record a slice, with an address of its own.
   *
   * @param requests how many a slice takes
   */
  private record Endless(String name, int slices, int requests) implements ListStream {
    Endless(String name, int slices) {
      this(name, slices, 1);
    }

    @Override
    public StreamShape shape() {
      return new StreamShape(name, List.of("id"), Optional.empty());
    }

    @Override
    public Duration interval() {
      return Duration.ofDays(1);
    }

    @Override
    public SliceEnd read(SliceStart start, Requests provider, Records out)
        throws ProviderException, IOException, InterruptedException {
      int slice = start.cursor().map(Integer::parseInt).orElse(0);
      for (int i = 0; i < requests; i++) {
        WebAnswer unused =
            provider.send(
                new WebRequest(
                    "GET",
                    URI.create("https://provider.example/" + name),
                    List.of(),
                    new byte[0],
                    Duration.ofSeconds(30)));
      }
      String id = name + " " + slice;
      out.accept(new CollectedRecord(id, id, JsonNodeFactory.instance.objectNode().put("id", id)));
      return SliceEnd.at(Integer.toString(slice + 1), slice + 1 < slices);
    }
  }

  private record Two(ListStream one, ListStream other) implements Connector {
    @Override
    public String name() {
      return "two";
    }

    @Override
    public Provider provider() {
      return new Provider(
          "lane",
          Pacing.always(LaneOptions.fixed(4)),
          Signals.builder().build(),
          Authorization.NONE);
    }

    @Override
    public List<ListStream> streams() {
      return List.of(one, other);
    }
  }

  private static List<String> asked(Connector connector, Envelope envelope, int runs, String sick) {
    List<String> asked = new ArrayList<>();
    SimulatedTime.run(
        1,
        time -> {
          Store store = Store.inMemory(time);
          MemorySink sink = new MemorySink();
          for (int i = 0; i < runs; i++) {
            collect(connector, envelope, sink, store, time, sick, asked);
            time.sleep(Duration.ofHours(7));
          }
        });
    return asked;
  }

  private static void collect(
      Connector connector,
      Envelope envelope,
      MemorySink sink,
      Store store,
      Time time,
      String sick,
      List<String> asked)
      throws InterruptedException {
    try (ProviderGates gates = new ProviderGates(store, time)) {
      CollectionResult unused =
          new Collector(
                  CollectionRequest.of("mine", connector).withEnvelope(envelope),
                  sink,
                  store,
                  gates,
                  request -> {
                    String stream = request.uri().getPath().substring(1);
                    asked.add(stream);
                    return new WebAnswer(
                        stream.equals(sick) ? 500 : 200,
                        HttpHeaders.of(Map.of(), (name, value) -> true),
                        new byte[0]);
                  },
                  time)
              .run();
    }
  }

  @Test
  void a_stream_that_never_ends_uses_up_a_run_and_then_lets_the_other_begin() {
    List<String> asked =
        asked(
            new Two(new Endless("long", 1_000), new Endless("short", 3)),
            Envelope.UNBOUNDED.withRequestCap(5),
            2,
            "");
    assertThat(asked)
        .containsExactlyElementsOf(
            Stream.of("long long long long long short short short long long".split(" ")).toList());
  }

  @Test
  void a_stream_whose_slices_are_too_large_for_a_run_keeps_no_other_from_its_turn() {
    List<String> asked =
        asked(
            new Two(new Endless("large", 1, 9), new Endless("short", 3)),
            Envelope.UNBOUNDED.withRequestCap(5),
            3,
            "");
    assertThat(String.join(" ", asked))
        .isEqualTo(
            "large large large large large" // all of a run
                + " short short short large large" // had no turn, and begins
                + " large large large large large"); // had too little left, and begins
  }

  @Test
  void two_streams_that_never_end_take_turns() {
    List<String> asked =
        asked(
            new Two(new Endless("one", 1_000), new Endless("two", 1_000)),
            Envelope.UNBOUNDED.withRequestCap(2),
            4,
            "");
    assertThat(asked).containsExactly("one", "one", "two", "two", "one", "one", "two", "two");
  }

  @Test
  void a_stream_that_fails_whenever_it_is_asked_keeps_no_other_from_its_turn() {
    List<String> asked =
        asked(
            new Two(new Endless("sick", 3), new Endless("well", 3)), Envelope.UNBOUNDED, 2, "sick");
    assertThat(asked).contains("well");
    assertThat(asked.lastIndexOf("well"))
        .as("first, in the second run")
        .isLessThan(asked.lastIndexOf("sick"));
  }
}

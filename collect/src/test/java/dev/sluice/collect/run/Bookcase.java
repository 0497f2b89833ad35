package dev.sluice.collect.run;

import dev.sluice.collect.connector.Authorization;
import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.DetailStream;
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
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A connector whose list, a snapshot, is kept here: books with their editions. The text of each is
 * fetched by a request of its own, and has no key.
 */
final class Bookcase implements Connector {
  final Map<String, String> editions = new TreeMap<>();
  private final Provider provider;

  Bookcase(LaneOptions pacing, int books) {
    this.provider =
        new Provider(
            "bookcase", Pacing.always(pacing), Signals.builder().build(), Authorization.NONE);
    for (int book = 1; book <= books; book++) {
      editions.put(String.valueOf(book), "first");
    }
  }

  @Override
  public String name() {
    return "bookcase";
  }

  @Override
  public Provider provider() {
    return provider;
  }

  @Override
  public List<ListStream> streams() {
    return List.of(new Books());
  }

  private static ObjectNode body(String book) {
    return JsonNodeFactory.instance.objectNode().put("id", book);
  }

  private final class Books implements ListStream {
    @Override
    public StreamShape shape() {
      return new StreamShape("books", List.of("id"), Optional.empty());
    }

    @Override
    public Duration interval() {
      return Duration.ofMinutes(10);
    }

    @Override
    public List<DetailStream> details() {
      return List.of(new Texts());
    }

    @Override
    public SliceEnd read(SliceStart start, Requests requests, Records records)
        throws IOException, InterruptedException {
      for (String book : editions.keySet()) {
        records.accept(new CollectedRecord(book, "", body(book)));
      }
      return new SliceEnd(Optional.empty(), false);
    }
  }

  private final class Texts implements DetailStream {
    @Override
    public StreamShape shape() {
      return new StreamShape("texts", List.of(), Optional.empty());
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
    public Optional<String> edition(CollectedRecord parent) {
      return Optional.ofNullable(editions.get(parent.key()));
    }

    @Override
    public void read(String split, ObjectNode parent, Requests requests, Records records)
        throws ProviderException, IOException, InterruptedException {
      String book = parent.path("id").asString();
      requests.send(
          new WebRequest(
              "GET",
              URI.create("http://localhost/texts/" + book),
              List.of(),
              new byte[0],
              Duration.ofSeconds(30)));
      records.accept(new CollectedRecord("", "", body(book)));
    }
  }
}

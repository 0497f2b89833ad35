package dev.sluice.bench;

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
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A provider that answers from memory, at once, and the connector that reads it: so many pages of
 * records, each a slice of one request, and one detail for each record that somebody remembers.
 * Nothing is paced. Thread-safe.
 */
final class MemoryProvider implements Connector, Transport {
  static final String LIST = "items";
  static final String DETAIL = "notes";

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final HttpHeaders HEADERS =
      HttpHeaders.of(Map.of("Content-Type", List.of("application/json")), (name, value) -> true);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Provider provider;
  private final List<byte[]> pages;

  private MemoryProvider(String lane, List<byte[]> pages) {
    this.provider =
        new Provider(
            lane,
            Pacing.always(LaneOptions.fixed(8)),
            Signals.builder().expectJson().build(),
            Authorization.NONE);
    this.pages = pages;
  }

  /** So many pages with so many records each; the bodies are made here. */
  static MemoryProvider of(String lane, int pages, int records) {
    List<byte[]> bodies = new ArrayList<>(pages);
    for (int page = 0; page < pages; page++) {
      bodies.add(
          ("{\"items\":[" + String.join(",", lines(page, records)) + "]}")
              .getBytes(StandardCharsets.UTF_8));
    }
    return new MemoryProvider(lane, bodies);
  }

  /** The records of a page, as JSON, of some 150 bytes. */
  private static List<String> lines(int page, int records) {
    List<String> lines = new ArrayList<>(records);
    for (int i = 0; i < records; i++) {
      long id = (long) page * records + i;
      lines.add(
          """
          {"id":%d,"name":"record number %d","state":"open","amount":%d.25,\
          "updated_at":"2026-03-01T08:30:00Z","note":"what somebody wrote about it"}"""
              .formatted(id, id, id % 1_000));
    }
    return lines;
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Provider provider() {
    return provider;
  }

  @Override
  public List<ListStream> streams() {
    return List.of(new Pages());
  }

  @Override
  public WebAnswer send(WebRequest request) throws IOException {
    String[] path = request.uri().getPath().split("/", -1);
    return switch (path[1]) {
      case LIST -> page(Integer.parseInt(path[2]));
      case DETAIL ->
          new WebAnswer(
              200,
              HEADERS,
              "{\"id\":\"%s\",\"text\":\"what there is to know of it\"}"
                  .formatted(path[2])
                  .getBytes(StandardCharsets.UTF_8));
      default -> throw new IOException("there is no " + request.uri());
    };
  }

  /** The answer that has a page. */
  WebAnswer page(int number) {
    return new WebAnswer(200, HEADERS, pages.get(number));
  }

  private static JsonNode get(Requests requests, String what, String which)
      throws ProviderException, IOException, InterruptedException {
    URI address = URI.create("http://memory/" + what + "/" + which);
    return JSON.readTree(
        requests.send(new WebRequest("GET", address, List.of(), new byte[0], TIMEOUT)).body());
  }

  private final class Pages implements ListStream {
    @Override
    public StreamShape shape() {
      return new StreamShape(LIST, List.of("id"), Optional.empty());
    }

    @Override
    public Duration interval() {
      return Duration.ofHours(1);
    }

    @Override
    public List<DetailStream> details() {
      return List.of(new Notes());
    }

    @Override
    public SliceEnd read(SliceStart start, Requests requests, Records records)
        throws ProviderException, IOException, InterruptedException {
      int page = start.cursor().map(Integer::parseInt).orElse(0);
      if (page >= pages.size()) {
        return SliceEnd.at(String.valueOf(page), false);
      }
      for (JsonNode item : get(requests, LIST, String.valueOf(page)).path("items")) {
        records.accept(new CollectedRecord(item.path("id").asString(), "", (ObjectNode) item));
      }
      return SliceEnd.at(String.valueOf(page + 1), page + 1 < pages.size());
    }
  }

  /** Wanted of no record that is listed: only gaps ask for them. */
  private static final class Notes implements DetailStream {
    @Override
    public StreamShape shape() {
      return new StreamShape(DETAIL, List.of("id"), Optional.empty());
    }

    @Override
    public boolean wants(CollectedRecord parent) {
      return false;
    }

    @Override
    public ObjectNode remembered(CollectedRecord parent) {
      return JsonNodeFactory.instance.objectNode().put("id", parent.key());
    }

    @Override
    public void read(String split, ObjectNode parent, Requests requests, Records records)
        throws ProviderException, IOException, InterruptedException {
      String id = parent.path("id").asString();
      records.accept(new CollectedRecord(id, "", (ObjectNode) get(requests, DETAIL, id)));
    }
  }
}

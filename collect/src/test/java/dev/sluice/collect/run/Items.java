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
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A connector in Java for the simulated provider: its items by their ids, a page at a time, and
 * their comments if wanted.
 */
final class Items implements Connector {
  /** So much is remembered of an item whose comments are missing that a page holds some eighty. */
  static final int REMEMBERED = 3_000;

  /** Nothing comes after it: the items of these tests do not change. */
  private static final String END = "end";

  private static final JsonMapper JSON = JsonMapper.shared();

  private final String lane;
  private final Pacing pacing;
  private final int page;
  private final boolean comments;
  private final boolean looks;
  private final Provider provider;

  private Items(String lane, Pacing pacing, int page, boolean comments, boolean looks) {
    this.lane = lane;
    this.pacing = pacing;
    this.page = page;
    this.comments = comments;
    this.looks = looks;
    this.provider =
        new Provider(lane, pacing, Signals.builder().expectJson().build(), Authorization.NONE);
  }

  /** Pages of so many, as fast as ten at once. */
  static Items of(int page) {
    return new Items("simulated", Pacing.always(LaneOptions.fixed(10)), page, false, false);
  }

  Items withComments() {
    return new Items(lane, pacing, page, true, looks);
  }

  Items paced(LaneOptions other) {
    return paced(Pacing.always(other));
  }

  Items paced(Pacing other) {
    return new Items(lane, other, page, comments, looks);
  }

  /** Each run that finds everything collected asks once whether there is more. */
  Items looking() {
    return new Items(lane, pacing, page, comments, true);
  }

  Items onLane(String other) {
    return new Items(other, pacing, page, comments, looks);
  }

  @Override
  public String name() {
    return "items";
  }

  @Override
  public Provider provider() {
    return provider;
  }

  @Override
  public List<ListStream> streams() {
    return List.of(new Pages());
  }

  private static JsonNode get(Requests requests, String target)
      throws ProviderException, IOException, InterruptedException {
    return JSON.readTree(
        requests
            .send(
                new WebRequest(
                    "GET",
                    URI.create("http://localhost" + target),
                    List.of(),
                    new byte[0],
                    Duration.ofSeconds(30)))
            .body());
  }

  private final class Pages implements ListStream {
    @Override
    public StreamShape shape() {
      return new StreamShape("items", List.of("id"), Optional.empty());
    }

    @Override
    public Duration interval() {
      return Duration.ofMinutes(10);
    }

    @Override
    public List<DetailStream> details() {
      return comments ? List.of(new Comments()) : List.of();
    }

    @Override
    public SliceEnd read(SliceStart start, Requests requests, Records records)
        throws ProviderException, IOException, InterruptedException {
      if (start.cursor().equals(Optional.of(END))) {
        if (looks) {
          JsonNode unused = get(requests, "/items?sort=id&limit=1");
        }
        return SliceEnd.at(END, false);
      }
      String after = start.cursor().map(cursor -> "&cursor=" + cursor).orElse("");
      JsonNode body = get(requests, "/items?sort=id&limit=" + page + after);
      for (JsonNode item : body.path("items")) {
        records.accept(new CollectedRecord(item.path("id").asString(), "", (ObjectNode) item));
      }
      JsonNode next = body.path("next_cursor");
      return next.isNull() ? SliceEnd.at(END, false) : SliceEnd.at(next.asString(), true);
    }
  }

  private static final class Comments implements DetailStream {
    @Override
    public StreamShape shape() {
      return new StreamShape("comments", List.of("id"), Optional.empty());
    }

    @Override
    public boolean wants(CollectedRecord parent) {
      return true;
    }

    @Override
    public ObjectNode remembered(CollectedRecord parent) {
      return JsonNodeFactory.instance
          .objectNode()
          .put("id", parent.key())
          .put("weight", "x".repeat(REMEMBERED));
    }

    @Override
    public void read(String split, ObjectNode parent, Requests requests, Records records)
        throws ProviderException, IOException, InterruptedException {
      String item = parent.path("id").asString();
      JsonNode body = get(requests, "/items/" + item + "/comments?limit=100");
      for (JsonNode comment : body.path("items")) {
        records.accept(
            new CollectedRecord(comment.path("id").asString(), "", (ObjectNode) comment));
      }
    }
  }
}

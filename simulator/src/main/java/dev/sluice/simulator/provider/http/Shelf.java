package dev.sluice.simulator.provider.http;

import dev.sluice.simulator.catalogue.Catalogue;
import dev.sluice.simulator.catalogue.Item;
import dev.sluice.simulator.catalogue.Place;
import dev.sluice.simulator.catalogue.Range;
import dev.sluice.simulator.provider.Header;
import dev.sluice.simulator.provider.Misbehaviour;
import dev.sluice.simulator.provider.ServiceOptions;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers what is asked about the catalogue: lists in pages, and single items. Single-threaded. */
final class Shelf {
  private static final Duration CURSOR_LIFE = Duration.ofSeconds(60);

  private final Catalogue catalogue;
  private final Paging paging;
  private final int pageSize;

  Shelf(Catalogue catalogue, Paging paging, int pageSize) {
    this.catalogue = catalogue;
    this.paging = paging;
    this.pageSize = pageSize;
  }

  /** A page of items. */
  Reply list(Target target, String base, ServiceOptions service, Instant now) {
    Optional<Cursor> cursor = cursor(target, service, now);
    Range range = cursor.map(Cursor::range).orElseGet(() -> range(target));
    int size = size(target, cursor);
    long skipped = skipped(target, size);
    List<Item> items = catalogue.list(range, cursor.map(Cursor::place), skipped, size + 1);
    boolean more = items.size() > size;
    List<Item> page = more ? items.subList(0, size) : items;
    Cursor next = null;
    if (more) {
      Place last = Catalogue.place(range, page.get(size - 1));
      next =
          service.has(Misbehaviour.CURSOR_LOOPS)
              ? cursor
                  .flatMap(Cursor::loop)
                  .orElseGet(() -> Cursor.behind(range, last, cursor, size, issued(service, now)))
              : Cursor.behind(range, last, cursor, size, issued(service, now));
    }
    Object shown = page.stream().map(Json::item).toList();
    return reply(shown, () -> catalogue.size(range), next, skipped, size, base + "/items");
  }

  /** Only where it matters: a page that has not changed has the same tag. */
  private static Instant issued(ServiceOptions service, Instant now) {
    return service.has(Misbehaviour.CURSOR_EXPIRES) ? now : Instant.EPOCH;
  }

  /** A page of the comments on an item. */
  Reply comments(long id, Target target, String base, ServiceOptions service, Instant now) {
    Optional<Cursor> cursor = cursor(target, service, now);
    List<Item.Comment> all = item(id).comments();
    int size = size(target, cursor);
    long skipped = skipped(target, size);
    long behind = cursor.map(at -> at.place().minor()).orElse(-1L);
    List<Item.Comment> rest =
        all.stream().filter(comment -> comment.id() > behind).skip(skipped).toList();
    List<Item.Comment> page = rest.subList(0, Math.min(size, rest.size()));
    Cursor next =
        rest.size() > size
            ? Cursor.behind(
                Range.ALL,
                new Place(0, page.get(size - 1).id()),
                cursor,
                size,
                issued(service, now))
            : null;
    Object shown = page.stream().map(Json::comment).toList();
    return reply(shown, all::size, next, skipped, size, base + "/items/" + id + "/comments");
  }

  /** One item. */
  Reply detail(long id) {
    return Reply.json(200, Json.write(Json.detail(item(id))));
  }

  private Item item(long id) {
    return catalogue
        .item(id)
        .orElseThrow(
            () ->
                catalogue.isGone(id)
                    ? new MistakenCall(410, "gone", "this item has vanished")
                    : new MistakenCall(404, "not_found", "there never was such an item"));
  }

  private Reply reply(
      Object page, Count total, @Nullable Cursor next, long skipped, int size, String address) {
    String link = next == null ? null : address + "?cursor=" + next.text();
    Map<String, @Nullable Object> body = Json.object("items", page);
    switch (paging) {
      case OFFSET -> {
        body.put("offset", skipped);
        body.put("limit", size);
        body.put("total", total.count());
      }
      case PAGE -> {
        long count = total.count();
        body.put("page", skipped / size + 1);
        body.put("total_pages", (count + size - 1) / size);
        body.put("total", count);
      }
      case CURSOR -> body.put("next_cursor", next == null ? null : next.text());
      case NEXT_URL -> body.put("next", link);
      case LINK -> {
        Reply plain = Reply.json(200, Json.write(page));
        return link == null
            ? plain
            : plain.with(new Header("Link", "<" + link + ">; rel=\"next\""));
      }
    }
    return Reply.json(200, Json.write(body));
  }

  private Optional<Cursor> cursor(Target target, ServiceOptions service, Instant now) {
    if (paging == Paging.OFFSET || paging == Paging.PAGE) {
      return Optional.empty();
    }
    Optional<Cursor> cursor = target.parameter("cursor").map(Cursor::parse);
    if (cursor.isPresent()
        && service.has(Misbehaviour.CURSOR_EXPIRES)
        && cursor.get().issued().plus(CURSOR_LIFE).isBefore(now)) {
      throw new MistakenCall(410, "cursor_expired", "this cursor was good for a minute");
    }
    return cursor;
  }

  private int size(Target target, Optional<Cursor> cursor) {
    int usual = cursor.map(Cursor::size).orElse(pageSize);
    String name = target.parameter("per_page").isPresent() ? "per_page" : "limit";
    return (int) target.number(name, usual, 1, ProviderOptions.MOST_PER_PAGE);
  }

  private long skipped(Target target, int size) {
    return switch (paging) {
      case OFFSET -> target.number("offset", 0, 0, 1_000_000_000);
      case PAGE -> (target.number("page", 1, 1, 1_000_000_000) - 1) * size;
      default -> 0;
    };
  }

  private static Range range(Target target) {
    Instant since = instant(target, "updated_since");
    Instant before = instant(target, "updated_before");
    String sort = target.parameter("sort").orElse("updated_at");
    return switch (sort) {
      case "updated_at" -> new Range(Range.Order.UPDATED, since, before);
      case "id" -> new Range(Range.Order.ID, since, before);
      default ->
          throw new MistakenCall(
              400,
              "invalid_parameter",
              "sort is '%s', but must be updated_at or id".formatted(Target.abridged(sort)));
    };
  }

  private static @Nullable Instant instant(Target target, String name) {
    String text = target.parameters().get(name);
    if (text == null) {
      return null;
    }
    try {
      return text.matches("[0-9]{1,11}")
          ? Instant.ofEpochSecond(Long.parseLong(text))
          : Instant.parse(text);
    } catch (DateTimeException notATime) {
      throw new MistakenCall(
          400,
          "invalid_parameter",
          "%s is '%s', but must be a time like 2026-01-15T12:00:00Z, or seconds since 1970"
              .formatted(name, Target.abridged(text)));
    }
  }

  /** Counts only if somebody wants to know. */
  private interface Count {
    long count();
  }
}

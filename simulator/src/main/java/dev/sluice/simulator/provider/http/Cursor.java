package dev.sluice.simulator.provider.http;

import dev.sluice.simulator.catalogue.Place;
import dev.sluice.simulator.catalogue.Range;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a page's token says, opaque to clients: it carries the whole question with it.
 *
 * @param range which items are meant
 * @param place behind which the page begins
 * @param former behind which the page before it began; null if that was the first
 * @param page which page it leads to, from 2
 * @param size how many are on a page
 * @param issued when it was made
 */
record Cursor(
    Range range, Place place, @Nullable Place former, int page, int size, Instant issued) {

  String text() {
    String fields =
        String.join(
            ",",
            range.order().name(),
            String.valueOf(range.since()),
            String.valueOf(range.before()),
            text(place),
            former == null ? "null" : text(former),
            Integer.toString(page),
            Integer.toString(size),
            issued.toString());
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(fields.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(Place place) {
    return place.major() + "/" + place.minor();
  }

  static Cursor parse(String text) {
    try {
      String fields = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
      String[] parts = fields.split(",", -1);
      if (parts.length == 8) {
        Range range =
            new Range(Range.Order.valueOf(parts[0]), instant(parts[1]), instant(parts[2]));
        return new Cursor(
            range,
            place(parts[3]),
            parts[4].equals("null") ? null : place(parts[4]),
            Integer.parseInt(parts[5]),
            Math.clamp(Long.parseLong(parts[6]), 1, ProviderOptions.MOST_PER_PAGE),
            Instant.parse(parts[7]));
      }
    } catch (IllegalArgumentException | DateTimeException notOurs) {
      throw mistake(text);
    }
    throw mistake(text);
  }

  private static MistakenCall mistake(String text) {
    return new MistakenCall(
        400, "invalid_cursor", "'" + Target.abridged(text) + "' is no cursor of this list");
  }

  private static @Nullable Instant instant(String text) {
    return text.equals("null") ? null : Instant.parse(text);
  }

  private static Place place(String text) {
    int slash = text.indexOf('/');
    return new Place(
        Long.parseLong(text.substring(0, Math.max(0, slash))),
        Long.parseLong(text.substring(slash + 1)));
  }

  /** The next page's, of a page that ends at {@code last}. */
  static Cursor behind(Range range, Place last, Optional<Cursor> reached, int size, Instant now) {
    return new Cursor(
        range,
        last,
        reached.map(Cursor::place).orElse(null),
        reached.map(Cursor::page).orElse(1) + 1,
        size,
        now);
  }

  /** From the third page, the way back to the second. */
  Optional<Cursor> loop() {
    return page == 3 && former != null
        ? Optional.of(new Cursor(range, former, null, 2, size, issued))
        : Optional.empty();
  }
}

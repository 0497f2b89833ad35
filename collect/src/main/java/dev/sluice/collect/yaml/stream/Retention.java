package dev.sluice.collect.yaml.stream;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.run.Reason;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;

/**
 * How far back a provider can be asked. It answers for earlier times as if nothing had changed, so
 * nobody would miss what it no longer has. Immutable.
 *
 * @param keeps for how long it has something
 * @param from where catch-up begins; empty for the beginning of all
 * @param windows whether a bookmark's page is a time as well, not a token
 * @param newestFirst whether catch-up goes back to its beginning
 * @param time the moment that a bookmark's value stands for
 */
record Retention(
    Duration keeps,
    Optional<String> from,
    boolean windows,
    boolean newestFirst,
    Function<String, Instant> time) {

  /**
   * Looks at where a slice begins.
   *
   * @throws ProviderException if that is earlier than anything that the provider still has
   */
  void check(String stream, SliceStart start) throws ProviderException {
    Optional<Instant> begin = begin(start).map(time);
    Instant oldest = start.now().minus(keeps).truncatedTo(ChronoUnit.SECONDS);
    if (begin.isPresent() && begin.get().isBefore(oldest)) {
      throw new ProviderException(
          Reason.Failure.CURSOR_EXPIRED,
          ProviderException.NO_STATUS,
          "%s would go on from %s, but the service has nothing from before %s; a collection of another name begins with what there is, from a later catch-up.from on"
              .formatted(stream, begin.get(), oldest));
    }
  }

  private Optional<String> begin(SliceStart start) {
    boolean catchUp = start.mode() == Mode.CATCH_UP;
    if (catchUp && newestFirst) {
      return from;
    }
    Place place = Place.parse(start.cursor());
    if (place.page().isPresent()) {
      return windows ? place.page() : Optional.empty();
    }
    return place.at().or(catchUp ? this::from : start::horizon);
  }
}

package dev.sluice.collect.yaml.paging;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.yaml.request.Next;
import dev.sluice.collect.yaml.request.Page;
import dev.sluice.collect.yaml.request.Spot;
import java.util.Map;
import java.util.Optional;

/** One way through the pages, from page to page. Used by one task. */
public interface Walk {

  /** What the first page is asked for with. */
  default Map<Spot, String> first() {
    return Map.of();
  }

  /**
   * The page after one; empty if it was the last.
   *
   * @throws ProviderException if the pages make no sense
   * @throws PagesShiftedException if records came or went meanwhile, so that some may have been
   *     missed
   */
  Optional<Step> after(Page page) throws ProviderException, PagesShiftedException;

  /** The same for who cannot begin again: pages that shifted are not what was declared. */
  default Optional<Step> afterOrFail(Page page) throws ProviderException {
    try {
      return after(page);
    } catch (PagesShiftedException e) {
      throw ProviderException.unexpected(String.valueOf(e.getMessage()));
    }
  }

  /**
   * To the next page.
   *
   * @param token tells it from every other page of the walk, as the provider gave it
   */
  record Step(Next next, String token) {}
}

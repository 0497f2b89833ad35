package dev.sluice.collect.yaml.paging;

import java.util.Optional;

/**
 * Always the first page behind the last cursor value, so that changes cannot shift records past the
 * reader.
 *
 * @param size how many records a full page has
 * @param ties how to go on while a whole page shares one value; empty if that cannot be
 */
public record SeekPages(int size, Optional<Pages> ties) implements Pages {

  /** The walk through one shared value. */
  @Override
  public Walk begin() {
    return ties.map(Pages::begin).orElse(page -> Optional.empty());
  }

  /** Whether pages say by a token of the provider's that there are more. */
  public boolean tokens() {
    return ties.filter(Pages::resumable).isPresent();
  }

  @Override
  public boolean tellsByHeader() {
    return ties.filter(Pages::tellsByHeader).isPresent();
  }
}

package dev.sluice.collect.yaml.paging;

import java.util.Optional;

/** There is one page. */
final class SinglePage implements Pages {

  @Override
  public Walk begin() {
    return page -> Optional.empty();
  }
}

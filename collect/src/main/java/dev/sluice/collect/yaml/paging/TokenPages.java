package dev.sluice.collect.yaml.paging;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.yaml.request.Next;
import dev.sluice.collect.yaml.request.Page;
import dev.sluice.collect.yaml.request.Source;
import dev.sluice.collect.yaml.request.Spot;
import dev.sluice.collect.yaml.text.Condition;
import dev.sluice.collect.yaml.text.Facts;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Pages that give a token with which the next one is asked for. */
final class TokenPages implements Pages {
  private final Source source;
  private final Spot ask;
  private final boolean restarts;
  private final @Nullable Condition until;

  /**
   * Asks with tokens.
   *
   * @param until which page is the last although it has a token; null if none is
   */
  TokenPages(Source source, Spot ask, boolean restarts, @Nullable Condition until) {
    this.source = requireNonNull(source, "source");
    this.ask = requireNonNull(ask, "ask");
    this.restarts = restarts;
    this.until = until;
  }

  @Override
  public Walk begin() {
    return page ->
        next(page).map(token -> new Walk.Step(new Next.Asked(Map.of(ask, token)), token));
  }

  private Optional<String> next(Page page) throws ProviderException {
    if (until != null && until.holds(Facts.of(page.body()))) {
      return Optional.empty();
    }
    Optional<String> token = source.find(page);
    if (until != null && token.isEmpty()) {
      throw ProviderException.unexpected(
          "a page is not the last, but has no token for the next one; check pages.until");
    }
    return token;
  }

  @Override
  public Optional<Next> resumed(String token) {
    return Optional.of(new Next.Asked(Map.of(ask, token)));
  }

  @Override
  public boolean resumable() {
    return true;
  }

  @Override
  public boolean restartsWhenTokenDies() {
    return restarts;
  }

  @Override
  public boolean tellsByHeader() {
    return source instanceof Source.Header;
  }
}

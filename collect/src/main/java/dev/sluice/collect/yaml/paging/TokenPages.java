package dev.sluice.collect.yaml.paging;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.yaml.request.Next;
import dev.sluice.collect.yaml.request.Source;
import dev.sluice.collect.yaml.request.Spot;
import java.util.Map;
import java.util.Optional;

/** Pages that give a token with which the next one is asked for. */
final class TokenPages implements Pages {
  private final Source source;
  private final Spot ask;
  private final boolean restarts;

  TokenPages(Source source, Spot ask, boolean restarts) {
    this.source = requireNonNull(source, "source");
    this.ask = requireNonNull(ask, "ask");
    this.restarts = restarts;
  }

  @Override
  public Walk begin() {
    return page ->
        source.find(page).map(token -> new Walk.Step(new Next.Asked(Map.of(ask, token)), token));
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

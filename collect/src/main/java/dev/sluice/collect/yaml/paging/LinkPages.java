package dev.sluice.collect.yaml.paging;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.yaml.request.Next;
import dev.sluice.collect.yaml.request.Page;
import dev.sluice.collect.yaml.request.RequestForm;
import dev.sluice.collect.yaml.request.Source;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Pages that give the whole address of the next one, in a {@code Link} header or the body. */
final class LinkPages implements Pages {
  private static final Pattern LINK = Pattern.compile("<([^>]*)>([^<]*)");
  private static final Pattern NEXT =
      Pattern.compile(
          ";\\s*rel\\s*=\\s*(?:\"(?:[^\"]*\\s)?next(?:\\s[^\"]*)?\"|next(?=[\\s;,]|$))");

  private final @Nullable Source source;
  private final boolean restarts;
  private final String hidden;

  /**
   * Follows addresses.
   *
   * @param source where they stand; null for the {@code Link} header
   * @param hidden a query parameter that is not kept of them; empty for none
   */
  LinkPages(@Nullable Source source, boolean restarts, String hidden) {
    this.source = source;
    this.restarts = restarts;
    this.hidden = requireNonNull(hidden, "hidden");
  }

  @Override
  public Walk begin() {
    return page -> {
      Optional<String> address = source == null ? linked(page) : source.find(page);
      if (address.isEmpty()) {
        return Optional.empty();
      }
      String kept = kept(address.get());
      return Optional.of(new Walk.Step(new Next.Link(kept), kept));
    };
  }

  private String kept(String address) throws ProviderException {
    try {
      return RequestForm.without(new URI(address), hidden).toString();
    } catch (URISyntaxException e) {
      throw ProviderException.unexpected("the address of the next page is none");
    }
  }

  /** The address with {@code rel="next"}, if a page has one. */
  static Optional<String> linked(Page page) {
    for (String line : page.headers().allValues("Link")) {
      Matcher links = LINK.matcher(line);
      while (links.find()) {
        if (NEXT.matcher(links.group(2)).find()) {
          return Optional.of(links.group(1).strip());
        }
      }
    }
    return Optional.empty();
  }

  @Override
  public Optional<Next> resumed(String token) {
    return Optional.of(new Next.Link(token));
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
    return !(source instanceof Source.Body);
  }
}

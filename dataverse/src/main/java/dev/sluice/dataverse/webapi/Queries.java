package dev.sluice.dataverse.webapi;

import static java.util.Objects.requireNonNull;

import dev.sluice.dataverse.service.Calls;
import dev.sluice.dataverse.service.Service;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * Reads rows page by page. Pages are no snapshot: rows that change meanwhile may be missed or come
 * twice, unless they are sorted by a column that does not change, such as the primary key.
 * Thread-safe.
 *
 * <p>Every method throws {@link dev.sluice.dataverse.service.FaultException} if the service
 * refuses, and {@link IOException} if no answer came.
 */
public final class Queries {
  /** The most rows that the service puts on a page. */
  public static final int LARGEST_PAGE = 5_000;

  private final Calls calls;
  private final int pageSize;

  /**
   * Through these calls.
   *
   * @param pageSize rows per page, 1 to {@value #LARGEST_PAGE}
   */
  public Queries(Calls calls, int pageSize) {
    this.calls = requireNonNull(calls, "calls");
    this.pageSize = pageSize;
    if (pageSize < 1 || pageSize > LARGEST_PAGE) {
      throw new IllegalArgumentException(
          "pageSize is %d, but must be 1 to %d (rows that one answer brings)"
              .formatted(pageSize, LARGEST_PAGE));
    }
  }

  /**
   * Some rows.
   *
   * @param next where the next page is, as the service wrote it; empty after the last
   */
  public record Page(List<JsonNode> rows, Optional<URI> next) {
    public Page {
      rows = List.copyOf(rows);
    }
  }

  /**
   * The first page.
   *
   * @param resource the set and its options, encoded: {@code accounts?$select=name}
   */
  public Page first(String resource) throws IOException, InterruptedException {
    return page(calls.service().address(resource));
  }

  /** The page at a link that a page gave. */
  public Page page(URI link) throws IOException, InterruptedException {
    Service service = calls.service();
    JsonNode body = calls.read(service.get(link, "Prefer", "odata.maxpagesize=" + pageSize)).json();
    List<JsonNode> rows = new ArrayList<>();
    body.path("value").forEach(rows::add);
    String next = body.path("@odata.nextLink").asString("");
    try {
      // As it came: it is encoded already, and encoding it again would change it.
      return new Page(rows, next.isEmpty() ? Optional.empty() : Optional.of(URI.create(next)));
    } catch (IllegalArgumentException e) {
      throw new IOException("the link to the next page is no address: " + next, e);
    }
  }

  /** Shows every row of every page, in order. */
  public void forEach(String resource, Consumer<JsonNode> visitor)
      throws IOException, InterruptedException {
    Page page = first(resource);
    page.rows().forEach(visitor);
    while (page.next().isPresent()) {
      page = page(page.next().get());
      page.rows().forEach(visitor);
    }
  }
}

package dev.sluice.collect.yaml.paging;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.yaml.request.Next;
import dev.sluice.collect.yaml.request.Page;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Nobody said how pages follow each other: a {@code Link} header is followed, and a body that seems
 * to offer another page is refused, because taking the first page for all of them loses records.
 */
final class UnsaidPages implements Pages {
  private static final List<String> OFFERS =
      List.of(
          "next",
          "next_page",
          "next_cursor",
          "next_page_token",
          "nextPageToken",
          "nextLink",
          "@odata.nextLink",
          "next_url",
          "has_more",
          "hasMore");

  private static final List<String> NUMBERS_OF_PAGES =
      List.of("total_pages", "totalPages", "page_count", "pageCount", "last_page", "lastPage");

  private static final List<String> NUMBERS_OF_RECORDS =
      List.of("total", "total_count", "totalCount", "total_results", "totalResults");

  /** Objects in which such members often are. */
  private static final List<String> PLACES = List.of("meta", "pagination", "paging", "page");

  private final Pages links;

  UnsaidPages(String hidden) {
    this.links = new LinkPages(null, true, hidden);
  }

  @Override
  public Walk begin() {
    Walk following = links.begin();
    return page -> {
      Optional<Walk.Step> step = following.after(page);
      if (step.isEmpty()) {
        checkNothingOffered(page);
      }
      return step;
    };
  }

  private static void checkNothingOffered(Page page) throws ProviderException {
    checkNothingOffered(page.body(), "", page.records().size());
    for (String place : PLACES) {
      checkNothingOffered(page.body().path(place), place + ".", page.records().size());
    }
  }

  private static void checkNothingOffered(JsonNode members, String place, int records)
      throws ProviderException {
    for (String name : OFFERS) {
      refuseIf(isOffer(members.path(name)), place + name);
    }
    for (String name : NUMBERS_OF_PAGES) {
      refuseIf(members.path(name).asLong(0) > 1, place + name);
    }
    for (String name : NUMBERS_OF_RECORDS) {
      refuseIf(members.path(name).asLong(0) > records, place + name);
    }
  }

  private static void refuseIf(boolean offered, String name) throws ProviderException {
    if (offered) {
      throw ProviderException.unexpected(
          "an answer has '%s', so there seem to be more pages; say under pages how they are asked for, or pages: none"
              .formatted(name));
    }
  }

  private static boolean isOffer(JsonNode member) {
    if (member.isContainer()) {
      return !member.isEmpty();
    }
    return member.isBoolean() ? member.booleanValue() : !member.asString("").isEmpty();
  }

  @Override
  public Optional<Next> resumed(String token) {
    return links.resumed(token);
  }

  @Override
  public boolean resumable() {
    return true;
  }

  @Override
  public boolean restartsWhenTokenDies() {
    return true;
  }

  @Override
  public boolean tellsByHeader() {
    return true;
  }
}

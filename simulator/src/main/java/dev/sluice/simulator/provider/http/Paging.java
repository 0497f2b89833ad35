package dev.sluice.simulator.provider.http;

/** How lists are cut into pages, and how the next page is found. */
public enum Paging {
  /** {@code ?offset=200&limit=100}; the body tells the total. Shifts when items come and go. */
  OFFSET,
  /** {@code ?page=3&per_page=100}, from 1; the body tells the last. Shifts likewise. */
  PAGE,
  /** {@code ?cursor=…&limit=100}; the body has {@code next_cursor}, null on the last page. */
  CURSOR,
  /** A {@code Link} header with {@code rel="next"}; the body is a plain array. */
  LINK,
  /** The body has {@code next}, the whole address of the next page, null on the last. */
  NEXT_URL
}

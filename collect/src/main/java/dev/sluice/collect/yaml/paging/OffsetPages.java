package dev.sluice.collect.yaml.paging;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.select.JsonPath;
import dev.sluice.collect.yaml.request.Next;
import dev.sluice.collect.yaml.request.Page;
import dev.sluice.collect.yaml.request.Spot;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Pages by the number of records before them. Each begins with the last record of the page before:
 * if it is not there, records came or went, and others were passed over.
 *
 * @param size how many records a full page has; without a total, one that is not full is the last
 * @param guard where pages tell how many records there are together; null if nowhere
 */
record OffsetPages(Spot offset, int size, @Nullable JsonPath guard) implements Pages {

  @Override
  public Walk begin() {
    return new Walk() {
      private long at;
      private @Nullable String last;
      private List<?> before = List.of();

      @Override
      public Map<Spot, String> first() {
        return Map.of(offset, "0");
      }

      @Override
      public Optional<Step> after(Page page) throws ProviderException, PagesShiftedException {
        int count = page.records().size();
        if (last != null && (count == 0 || !page.keys().getFirst().equals(last))) {
          throw new PagesShiftedException("the last record of a page is not where it was");
        }
        if (isLast(page, at + count)) {
          return Optional.empty();
        }
        LoopGuard.requireOther(page.records(), before, offset);
        before = page.records();
        boolean keyed = !page.keys().isEmpty() && count > 1;
        last = keyed ? page.keys().getLast() : null;
        at += keyed ? count - 1 : count;
        String next = Long.toString(at);
        return Optional.of(new Step(new Next.Asked(Map.of(offset, next)), next));
      }
    };
  }

  /** A total says more than a page's size, which the service may have cut down. */
  private boolean isLast(Page page, long seen) {
    OptionalLong total = total(page);
    return page.records().isEmpty()
        || (total.isPresent() ? seen >= total.getAsLong() : page.records().size() < size);
  }

  @Override
  public boolean positional() {
    return true;
  }

  @Override
  public OptionalLong total(Page page) {
    return Totals.read(guard, page);
  }
}

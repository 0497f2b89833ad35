package dev.sluice.collect.yaml.paging;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.select.JsonPath;
import dev.sluice.collect.yaml.request.Next;
import dev.sluice.collect.yaml.request.Page;
import dev.sluice.collect.yaml.request.Spot;
import dev.sluice.collect.yaml.text.Condition;
import dev.sluice.collect.yaml.text.Facts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.LongNode;

/**
 * Pages by number.
 *
 * @param size how many records a full page has; 0 if unknown, and then an empty page is the last
 * @param until which page is the last; null if only its size tells
 * @param guard where pages tell how many records there are together; null if nowhere
 */
record NumberedPages(
    Spot number, long first, int size, @Nullable Condition until, @Nullable JsonPath guard)
    implements Pages {

  @Override
  public Walk begin() {
    return new Walk() {
      private long at = first;
      private List<?> before = List.of();

      @Override
      public Map<Spot, String> first() {
        return Map.of(number, Long.toString(first));
      }

      @Override
      public Optional<Step> after(Page page) throws ProviderException {
        if (isLast(page, at)) {
          return Optional.empty();
        }
        LoopGuard.requireOther(page.records(), before, number);
        before = page.records();
        String next = Long.toString(++at);
        return Optional.of(new Step(new Next.Asked(Map.of(number, next)), next));
      }
    };
  }

  private boolean isLast(Page page, long at) {
    int count = page.records().size();
    if (count == 0) {
      return true;
    }
    if (until != null) {
      Facts body = Facts.of(page.body());
      return until.holds(path -> path.equals("page") ? LongNode.valueOf(at) : body.find(path));
    }
    return count < size;
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

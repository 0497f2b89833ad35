package dev.sluice.collect.yaml.paging;

import dev.sluice.collect.select.JsonPath;
import dev.sluice.collect.yaml.request.Page;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What pages say of how many records there are. */
final class Totals {

  private Totals() {}

  static OptionalLong read(@Nullable JsonPath guard, Page page) {
    if (guard == null) {
      return OptionalLong.empty();
    }
    JsonNode total = guard.first(page.body());
    return total.isIntegralNumber() && total.canConvertToLong()
        ? OptionalLong.of(total.longValue())
        : OptionalLong.empty();
  }
}

package dev.sluice.simulator.dataverse.webapi;

import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.odata.Expand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which properties of a definition are wanted: those selected, or all that are not lists; and those
 * expanded, each with a projection of its own. Immutable.
 */
final class Projection {
  private final @Nullable List<String> select;
  private final Map<String, Projection> expand;

  private Projection(@Nullable List<String> select, Map<String, Projection> expand) {
    this.select = select;
    this.expand = expand;
  }

  /** What {@code $select} and {@code $expand} say; null for nothing. */
  static Projection of(@Nullable String select, @Nullable String expand) throws WebApiException {
    Map<String, Projection> expanded = new LinkedHashMap<>();
    for (String each : Expand.split(expand == null ? "" : expand, ',')) {
      String part = each.strip();
      int open = part.indexOf('(');
      String inner =
          open < 0 ? "" : part.substring(open + 1, Math.max(open + 1, part.length() - 1));
      Map<String, String> options = new LinkedHashMap<>();
      for (String option : Expand.split(inner, ';')) {
        int sign = option.indexOf('=');
        if (sign > 0) {
          options.put(option.substring(0, sign).strip(), option.substring(sign + 1));
        }
      }
      expanded.put(
          (open < 0 ? part : part.substring(0, open)).strip(),
          of(options.get("$select"), options.get("$expand")));
    }
    return new Projection(
        select == null ? null : Expand.split(select, ',').stream().map(String::strip).toList(),
        expanded);
  }

  Map<String, @Nullable Object> apply(Map<String, @Nullable Object> whole) {
    Map<String, @Nullable Object> chosen = new LinkedHashMap<>();
    whole.forEach(
        (name, value) -> {
          boolean always = name.equals("MetadataId") || name.startsWith("@");
          if (expand.containsKey(name)) {
            chosen.put(name, inner(expand.get(name), value));
          } else if (always
              || (select == null ? !Definitions.isExpandable(name) : select.contains(name))) {
            chosen.put(name, value);
          }
        });
    return chosen;
  }

  private static @Nullable Object inner(Projection projection, @Nullable Object value) {
    return switch (value) {
      case List<?> list ->
          list.stream().map(each -> projection.apply(Definitions.map(each))).toList();
      case Map<?, ?> map -> projection.apply(Definitions.map(map));
      case null, default -> value;
    };
  }
}

package dev.sluice.load.mapping;

import static java.util.Objects.requireNonNull;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

/**
 * How records become items. Immutable.
 *
 * @param clearEmpty whether an empty cell sets its column to null; else it leaves the column alone
 * @param key the columns that say which row is meant, by their logical names; empty for what the
 *     mapping says, else the primary key
 * @param zone where times were written that do not say it themselves
 */
public record MappingOptions(boolean clearEmpty, List<String> key, ZoneId zone) {

  /** Empty cells leave columns alone, rows are known by their primary key, times are in UTC. */
  public static final MappingOptions DEFAULTS =
      new MappingOptions(false, List.of(), ZoneOffset.UTC);

  public MappingOptions {
    key = List.copyOf(key);
    requireNonNull(zone, "zone");
  }

  public MappingOptions withClearEmpty(boolean changed) {
    return new MappingOptions(changed, key, zone);
  }

  public MappingOptions withKey(List<String> changed) {
    return new MappingOptions(clearEmpty, changed, zone);
  }

  public MappingOptions withZone(ZoneId changed) {
    return new MappingOptions(clearEmpty, key, changed);
  }
}

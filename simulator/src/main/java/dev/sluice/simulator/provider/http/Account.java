package dev.sluice.simulator.provider.http;

import dev.sluice.simulator.provider.Announcement;
import dev.sluice.simulator.provider.Counters;
import dev.sluice.simulator.provider.OpaqueService;
import dev.sluice.simulator.provider.QuotaHeaders;
import dev.sluice.simulator.provider.ServiceOptions;
import dev.sluice.simulator.provider.Verdict;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One account at a provider: what it may do, and how it is told. Single-threaded. */
final class Account {
  private final OpaqueService service;
  private final Announcement announcement;

  Account(ServiceOptions options, QuotaHeaders quota, long seed, long boundary, long now) {
    this.service = new OpaqueService(options, seed, boundary, now);
    this.announcement = new Announcement(service, quota);
  }

  OpaqueService service() {
    return service;
  }

  Announcement announcement() {
    return announcement;
  }

  /** What became of its requests, for people. */
  Map<String, @Nullable Object> report(long now) {
    Counters counters = service.counters();
    Map<String, @Nullable Object> report = Json.object();
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      report.put(kind.name().toLowerCase(Locale.ROOT), counters.of(kind));
    }
    report.put("pressed", counters.pressed());
    report.put("longest_wait_told_s", TimeUnit.NANOSECONDS.toSeconds(counters.longestTold()));
    report.put("neighbour_admitted", counters.neighbourAdmitted());
    report.put("neighbour_refused", counters.neighbourRefused());
    report.put("in_flight", service.inFlight());
    report.put("limit", service.limit(now) == Long.MAX_VALUE ? null : service.limit(now));
    report.put("left", service.limit(now) == Long.MAX_VALUE ? null : service.left(now));
    report.put("suspended_now", service.suspended());
    return report;
  }
}

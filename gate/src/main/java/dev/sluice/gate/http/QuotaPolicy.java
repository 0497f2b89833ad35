package dev.sluice.gate.http;

import dev.sluice.control.signal.QuotaHint.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parameters;
import org.greenbytes.http.sfv.StringItem;
import org.greenbytes.http.sfv.TokenItem;
import org.jspecify.annotations.Nullable;

/**
 * One member of {@code RateLimit-Policy}: {@code "burst";q=100;w=60} in the current drafts, {@code
 * 100;w=60} up to draft 07.
 *
 * @param name empty up to draft 07, where policies have none
 * @param partition the partition key as it was sent; empty if none
 * @param quota the quota's text
 * @param window the window's text in seconds; empty if not told
 */
record QuotaPolicy(
    Optional<String> name,
    String partition,
    List<String> quota,
    List<String> window,
    Optional<Unit> unit) {

  /** Those of one generation that can be read; members that cannot are left out. */
  static List<QuotaPolicy> in(List<ListElement<?>> members) {
    List<QuotaPolicy> policies = new ArrayList<>(members.size());
    for (ListElement<?> member : members) {
      QuotaPolicy policy = of(member);
      if (policy != null) {
        policies.add(policy);
      }
    }
    return policies;
  }

  private static @Nullable QuotaPolicy of(ListElement<?> member) {
    Parameters params = member.getParams();
    Optional<String> name = name(member);
    List<String> quota = StructuredField.integer(name.isPresent() ? params.get("q") : member);
    List<String> window = StructuredField.integer(params.get("w"));
    if (quota.isEmpty() || (window.isEmpty() && params.containsKey("w"))) {
      return null;
    }
    return new QuotaPolicy(name, partition(params), quota, window, unit(params.get("qu")));
  }

  /** A string or, as some services send it, a token; empty for anything else. */
  static Optional<String> name(ListElement<?> member) {
    if (member instanceof StringItem string) {
      return Optional.of(string.get());
    }
    return member instanceof TokenItem token ? Optional.of(token.get()) : Optional.empty();
  }

  static String partition(Parameters params) {
    Item<?> key = params.get("pk");
    return key == null ? "" : key.serialize();
  }

  private static Optional<Unit> unit(@Nullable Item<?> unit) {
    if (!(unit instanceof StringItem string)) {
      return Optional.empty();
    }
    return Optional.of(
        switch (string.get()) {
          case "requests" -> Unit.REQUESTS;
          case "content-bytes" -> Unit.BYTES;
          case "concurrent-requests" -> Unit.CONCURRENT;
          default -> Unit.POINTS;
        });
  }

  /** Adds what this policy knows about a limit to a statement about it. */
  Statement describe(Statement statement) {
    unit.ifPresent(statement::unit);
    return statement.limit(quota).window(window, WaitForm.DELTA_SECONDS);
  }

  /** A statement of its own, for a policy that no limit was told for. */
  Statement alone(String source) {
    return describe(Statement.from(source).key(name.orElse("")));
  }
}

package dev.sluice.gate.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.greenbytes.http.sfv.ListElement;
import org.jspecify.annotations.Nullable;

/**
 * The IETF's {@code RateLimit} and {@code RateLimit-Policy}: since draft 08 lists of named items,
 * in draft 07 a dictionary. (The triples of earlier drafts are a {@link PrefixedDialect}.)
 *
 * <p>A limit is joined with the policy of its name and partition; a field that breaks the syntax is
 * ignored whole, an item whose numbers are none is left out (H.N8 in docs/traceability.md).
 */
final class IetfDialect implements Dialect {
  private final String limits;
  private final String policies;

  /** For the fields' names behind a prefix such as {@code beta-}. */
  IetfDialect(String prefix) {
    limits = prefix + "ratelimit";
    policies = prefix + "ratelimit-policy";
  }

  @Override
  public List<Statement> read(Answer answer) {
    List<String> limitLines = answer.header(limits);
    List<String> policyLines = answer.header(policies);
    if (limitLines.isEmpty() && policyLines.isEmpty()) {
      return List.of();
    }
    List<Statement> statements = new ArrayList<>();
    List<QuotaPolicy> known = policies(policyLines, statements);
    List<ListElement<?>> items = StructuredField.list(limitLines);
    if (items != null) {
      for (ListElement<?> item : items) {
        statements.add(limit(item, known));
      }
    } else {
      statements.add(dictionary(StructuredField.dictionary(limitLines), known));
    }
    for (QuotaPolicy policy : known) {
      // Without names they belong to the fields of earlier drafts, if those are there instead.
      if (policy.name().isPresent() || !limitLines.isEmpty()) {
        statements.add(policy.alone(policies));
      }
    }
    return statements;
  }

  private List<QuotaPolicy> policies(List<String> lines, List<Statement> statements) {
    List<ListElement<?>> members = StructuredField.list(lines);
    List<QuotaPolicy> known =
        members == null ? List.of() : new ArrayList<>(QuotaPolicy.in(members));
    if (members == null || known.size() < members.size()) {
      statements.add(Statement.from(policies).unreadable());
    }
    return known;
  }

  private Statement limit(ListElement<?> item, List<QuotaPolicy> known) {
    Statement statement = Statement.from(limits);
    Optional<String> name = QuotaPolicy.name(item);
    List<String> remaining = StructuredField.integer(item.getParams().get("r"));
    List<String> reset = StructuredField.integer(item.getParams().get("t"));
    boolean badReset = reset.isEmpty() && item.getParams().containsKey("t");
    if (name.isEmpty() || remaining.isEmpty() || badReset) {
      return statement.unreadable();
    }
    QuotaPolicy policy = named(name.get(), QuotaPolicy.partition(item.getParams()), known);
    if (policy != null) {
      known.remove(policy);
      policy.describe(statement);
    }
    return statement.key(name.get()).remaining(remaining).reset(reset, WaitForm.DELTA_SECONDS);
  }

  private static @Nullable QuotaPolicy named(
      String name, String partition, List<QuotaPolicy> known) {
    QuotaPolicy ofAll = null;
    for (QuotaPolicy policy : known) {
      if (policy.name().equals(Optional.of(name))) {
        if (policy.partition().equals(partition)) {
          return policy;
        }
        ofAll = policy.partition().isEmpty() ? policy : ofAll;
      }
    }
    return ofAll;
  }

  private Statement dictionary(
      @Nullable Map<String, ListElement<?>> members, List<QuotaPolicy> known) {
    Statement statement = Statement.from(limits);
    if (members == null) {
      return statement.unreadable();
    }
    List<String> limit = StructuredField.integer(members.get("limit"));
    statement
        .limit(limit)
        .remaining(StructuredField.integer(members.get("remaining")))
        .reset(StructuredField.integer(members.get("reset")), WaitForm.DELTA_SECONDS);
    join(limit, known, statement);
    return statement.tellsQuota() ? statement : statement.unreadable();
  }

  /** Up to draft 07 a policy is joined with the limit that equals its quota. */
  static void join(List<String> limit, List<QuotaPolicy> known, Statement statement) {
    Decimal told = limit.size() == 1 ? Decimal.parse(limit.getFirst()) : null;
    for (QuotaPolicy policy : known) {
      if (told != null
          && policy.name().isEmpty()
          && told.equals(Decimal.parse(policy.quota().getFirst()))) {
        policy.describe(statement);
        known.remove(policy);
        return;
      }
    }
  }
}

package dev.sluice.gate.http;

import dev.sluice.control.signal.QuotaHint.Reach;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The dialects that need no declaration, in the order in which they are read. */
final class BuiltIn {
  private static final String[] WAIT_HEADERS = {
    "retry-after", "retry-after-ms", "x-amz-retry-after"
  };
  private static final WaitForm[] WAIT_FORMS = {
    WaitForm.AUTO, WaitForm.DELTA_MILLIS, WaitForm.DELTA_MILLIS
  };

  private static final List<Dialect> QUOTA_DIALECTS =
      List.of(
          new IetfDialect(""),
          new IetfDialect("beta-"),
          new IetfDialect("x-beta-"),
          new PrefixedDialect("ratelimit-"),
          new PrefixedDialect("x-ratelimit-"),
          new PrefixedDialect("x-rate-limit-"));

  static final Dialect QUOTA = BuiltIn::quota;
  static final Dialect WAITS = BuiltIn::waits;

  private BuiltIn() {}

  /** Whether any header's name has a part that a built-in dialect could know. Allocates little. */
  static boolean knowsSomethingIn(Map<String, List<String>> headers) {
    for (String name : headers.keySet()) {
      int part = 0;
      do {
        if (name.regionMatches(true, part, "rate", 0, 4)
            || name.regionMatches(true, part, "retry-after", 0, 11)) {
          return true;
        }
        part = name.indexOf('-', part) + 1;
      } while (part > 0);
    }
    return false;
  }

  private static List<Statement> quota(Answer answer) {
    List<Statement> statements = new ArrayList<>();
    for (Dialect dialect : QUOTA_DIALECTS) {
      statements.addAll(dialect.read(answer));
    }
    return statements;
  }

  private static List<Statement> waits(Answer answer) {
    // A wait with "created", "accepted" or a redirect is about that one thing (RFC 9110 §10.2.3).
    int status = answer.status();
    boolean aboutOneThing = status == 201 || status == 202 || (status >= 300 && status < 400);
    List<Statement> statements = new ArrayList<>(1);
    for (int i = 0; i < WAIT_HEADERS.length; i++) {
      List<String> lines = answer.header(WAIT_HEADERS[i]);
      if (!lines.isEmpty()) {
        statements.add(
            Statement.from(WAIT_HEADERS[i])
                .retryAfter(lines, WAIT_FORMS[i])
                .reach(aboutOneThing ? Reach.OBJECT : Reach.PROVIDER));
      }
    }
    return statements;
  }
}

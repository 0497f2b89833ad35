package dev.sluice.simulator.dataverse;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What can go wrong on demand. */
public enum FaultKind {
  /** The database chose this request as the victim; nothing was done. */
  DEADLOCK(When.BEFORE),
  /** The table is being prepared for bulk messages by another request; nothing was done. */
  TABLE_PREPARATION(When.BEFORE),
  /** The database took too long; nothing was done. */
  SQL_TIMEOUT(When.BEFORE),
  /** The database has no room for it now; nothing was done. */
  BUSY(When.BEFORE),
  /** The connection breaks; nothing was done. */
  DROPPED_BEFORE(When.BEFORE),
  /** Status 502 after the work was done. */
  BAD_GATEWAY(When.AFTER),
  /** Status 503 after the work was done. */
  UNAVAILABLE(When.AFTER),
  /** Status 504 after the work was done. */
  GATEWAY_TIMEOUT(When.AFTER),
  /** The connection breaks after the work was done. */
  DROPPED(When.AFTER),
  /** The answer's body dribbles out. */
  SLOW_BODY(When.AFTER),
  /** The token is no longer accepted; nothing was done. */
  EXPIRED_TOKEN(When.AT_THE_DOOR);

  /** At which point of a request it strikes. */
  enum When {
    AT_THE_DOOR,
    BEFORE,
    AFTER
  }

  private final When when;

  FaultKind(When when) {
    this.when = when;
  }

  When when() {
    return when;
  }

  /** Its name in settings: {@code sql-timeout}. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The kind with that name. */
  public static FaultKind named(String name) {
    return Arrays.stream(values())
        .filter(kind -> kind.wireName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no fault '%s'; there are %s"
                        .formatted(
                            name,
                            Arrays.stream(values())
                                .map(FaultKind::wireName)
                                .collect(Collectors.joining(", ")))));
  }
}

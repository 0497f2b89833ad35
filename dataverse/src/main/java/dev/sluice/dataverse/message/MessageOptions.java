package dev.sluice.dataverse.message;

import static java.util.Objects.requireNonNull;

import dev.sluice.gate.wire.PercentEncoding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the service is told beside the records. Immutable.
 *
 * @param bypassPlugins which custom business logic does not run; needs a privilege
 * @param bypassFlows whether flows are not triggered
 * @param duplicateDetection whether the service looks for duplicates by its rules, which it does
 *     not by itself
 * @param tag a word that plug-ins can read
 */
public record MessageOptions(
    Bypass bypassPlugins, boolean bypassFlows, boolean duplicateDetection, Optional<String> tag) {

  /** Custom business logic that can be left out. */
  public enum Bypass {
    NONE,
    SYNC,
    ASYNC,
    ALL
  }

  /** Everything runs as it does for everybody. */
  public static final MessageOptions DEFAULTS =
      new MessageOptions(Bypass.NONE, false, false, Optional.empty());

  public MessageOptions {
    requireNonNull(bypassPlugins, "bypassPlugins");
    requireNonNull(tag, "tag");
  }

  /** The headers that say so, names and values in turn. */
  public List<String> headers() {
    List<String> headers = new ArrayList<>();
    if (bypassPlugins != Bypass.NONE) {
      headers.addAll(
          List.of(
              "MSCRM.BypassBusinessLogicExecution",
              switch (bypassPlugins) {
                case SYNC -> "CustomSync";
                case ASYNC -> "CustomAsync";
                case ALL, NONE -> "CustomSync,CustomAsync";
              }));
    }
    if (bypassFlows) {
      headers.addAll(List.of("MSCRM.SuppressCallbackRegistrationExpanderJob", "true"));
    }
    if (duplicateDetection) {
      headers.addAll(List.of("MSCRM.SuppressDuplicateDetection", "false"));
    }
    return headers;
  }

  /** What an address says after its question mark, with that mark; empty if nothing. */
  public String query() {
    return tag.map(word -> "?tag=" + PercentEncoding.encode(word)).orElse("");
  }
}

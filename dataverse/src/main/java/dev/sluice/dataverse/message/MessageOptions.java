package dev.sluice.dataverse.message;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.signal.WireName;
import dev.sluice.gate.wire.PercentEncoding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * What the service is told beside the records. Immutable.
 *
 * @param bypassPlugins which custom business logic does not run; needs a privilege
 * @param bypassSteps registered steps that do not run, by their ids, which differ; needs the same
 *     privilege. An environment takes three in one request, unless it is set up otherwise
 * @param bypassFlows whether flows are not triggered
 * @param duplicateDetection whether the service looks for duplicates by its rules, which it does
 *     not by itself
 * @param tag a word that plug-ins can read
 */
public record MessageOptions(
    Bypass bypassPlugins,
    List<UUID> bypassSteps,
    boolean bypassFlows,
    boolean duplicateDetection,
    Optional<String> tag) {

  /** Custom business logic that can be left out. */
  public enum Bypass implements WireName {
    NONE,
    SYNC,
    ASYNC,
    ALL,
    /** What runs in step with the request, by the older header and its own privilege. */
    LEGACY
  }

  private static final String BYPASS = "MSCRM.BypassBusinessLogicExecution";

  /** Everything runs as it does for everybody. */
  public static final MessageOptions DEFAULTS =
      new MessageOptions(Bypass.NONE, List.of(), false, false, Optional.empty());

  public MessageOptions {
    requireNonNull(bypassPlugins, "bypassPlugins");
    bypassSteps = List.copyOf(bypassSteps);
    Set<UUID> steps = new HashSet<>();
    for (UUID step : bypassSteps) {
      if (!steps.add(step)) {
        throw new IllegalArgumentException(
            "bypassSteps has %s twice, but must name each step once".formatted(step));
      }
    }
    requireNonNull(tag, "tag");
  }

  /** The headers that say so, names and values in turn. */
  public List<String> headers() {
    List<String> headers = new ArrayList<>();
    headers.addAll(
        switch (bypassPlugins) {
          case NONE -> List.of();
          case SYNC -> List.of(BYPASS, "CustomSync");
          case ASYNC -> List.of(BYPASS, "CustomAsync");
          case ALL -> List.of(BYPASS, "CustomSync,CustomAsync");
          case LEGACY -> List.of("MSCRM.BypassCustomPluginExecution", "true");
        });
    if (!bypassSteps.isEmpty()) {
      headers.addAll(
          List.of(
              BYPASS + "StepIds",
              bypassSteps.stream().map(UUID::toString).collect(Collectors.joining(","))));
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

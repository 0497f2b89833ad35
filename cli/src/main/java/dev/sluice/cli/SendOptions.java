package dev.sluice.cli;

import dev.sluice.cli.config.Configuration;
import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.control.parallelism.Preset;
import dev.sluice.dataverse.bulk.BulkOptions;
import dev.sluice.dataverse.message.MessageOptions;
import dev.sluice.dataverse.wire.Guid;
import dev.sluice.load.run.RejectLimit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a load that say how its records are sent. */
final class SendOptions {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec command;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      description = "Records of the first messages, 1 to 1000; adapts from there (default: 100).")
  private @Nullable Integer batchSize;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      description = "How many at once: quota (the default), aimd or fixed.")
  private @Nullable PolicyName policy;

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      description = "For aimd: conservative, balanced or aggressive.")
  private @Nullable Preset preset;

  @Option(
      names = "--bypass-plugins",
      paramLabel = "WHICH",
      arity = "0..1",
      fallbackValue = "ALL",
      description = {
        "Custom business logic that does not run: sync, async, all, or legacy (sync, by",
        "the older header). Replaces bypass.plugins of the configuration."
      })
  private MessageOptions.@Nullable Bypass bypassPlugins;

  @Option(
      names = "--bypass-steps",
      paramLabel = "ID",
      split = ",",
      description = "Registered steps that do not run. Replaces bypass.steps.")
  private @Nullable List<String> bypassSteps;

  @Option(names = "--bypass-flows", description = "Flows are not triggered.")
  private boolean bypassFlows;

  @Option(
      names = "--duplicate-detection",
      description = "The service looks for duplicates by its rules.")
  private boolean duplicateDetection;

  @Option(
      names = "--caller",
      paramLabel = "ID",
      description = {
        "On whose behalf rows are written and read: a user's Microsoft Entra object id.",
        "Replaces caller of the configuration."
      })
  private @Nullable String caller;

  @Option(
      names = "--max-rejects",
      paramLabel = "N",
      description = {
        "Stops when more records are rejected: a number of them, or a share like 5%% of at",
        "least 1,000 (default: stops if the first 1,000 are all rejected; 100%%: never)."
      })
  private @Nullable String maxRejects;

  @Option(names = "--tag", paramLabel = "TEXT", description = "A word that plug-ins can read.")
  private @Nullable String tag;

  /**
   * On whose behalf; empty if that was not said.
   *
   * @throws ParameterException if it is no id
   */
  Optional<UUID> caller() {
    return Optional.ofNullable(caller).map(id -> guid("--caller", id, Configuration.CALLER));
  }

  /**
   * How many rejected records end the load.
   *
   * @throws ParameterException if it is neither a count nor a share
   */
  RejectLimit maxRejects() {
    try {
      return maxRejects == null ? RejectLimit.DEFAULT : RejectLimit.parse(maxRejects);
    } catch (IllegalArgumentException e) {
      throw wrong("--max-rejects " + e.getMessage());
    }
  }

  /**
   * Steps that do not run; none if that was not said.
   *
   * @throws ParameterException if one is no id
   */
  List<UUID> steps() {
    return bypassSteps == null
        ? List.of()
        : bypassSteps.stream()
            .map(step -> guid("--bypass-steps", step, Configuration.STEPS))
            .toList();
  }

  private UUID guid(String option, String text, String meaning) {
    try {
      return Guid.of(option, text, meaning);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  /** What is said on the command line goes before the configuration. */
  MessageOptions message(MessageOptions configured, List<UUID> steps) {
    try {
      return new MessageOptions(
          bypassPlugins == null ? configured.bypassPlugins() : bypassPlugins,
          steps.isEmpty() ? configured.bypassSteps() : steps,
          bypassFlows || configured.bypassFlows(),
          duplicateDetection,
          Optional.ofNullable(tag));
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  /**
   * How large messages are at first.
   *
   * @throws ParameterException if what was said cannot be
   */
  BulkOptions batches() {
    BulkOptions bulk = BulkOptions.DEFAULTS;
    if (batchSize == null) {
      return bulk;
    }
    if (batchSize < 1 || batchSize > BulkOptions.MOST) {
      throw wrong(
          "--batch-size is %d, but must be 1 to %d (records of one message)"
              .formatted(batchSize, BulkOptions.MOST));
    }
    return bulk.withBatchSize(batchSize);
  }

  /** What is said on the command line goes before the configuration. */
  AdaptiveRateOptions rate(AdaptiveRateOptions configured) {
    boolean same = policy != null && configured.policy().equals(Optional.of(policy));
    if (preset == null && (policy == null || same)) {
      return configured;
    }
    AdaptiveRateOptions.Builder rate = AdaptiveRateOptions.builder();
    if (policy != null) {
      rate.policy(policy);
    }
    if (preset != null) {
      rate.preset(preset);
    }
    try {
      return rate.build();
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}

package dev.sluice.control.parallelism;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How parallelism is searched for, and whether at all.
 *
 * <p>Immutable; a value out of its range cannot be built: {@link IllegalArgumentException} names
 * the option, the value, the range and what the option means. Usually made by a {@link #builder()},
 * whose options may be set in any order: an explicit value wins over the preset's.
 *
 * @param policy which policy these options ask for; empty if they leave it to the default. Anything
 *     that is set asks for {@link PolicyName#AIMD} unless a policy is named
 * @param enabled whether parallelism adapts; {@code false} exactly if the policy is {@link
 *     PolicyName#FIXED}. Default {@code true}
 * @param preset where the two execution-time options come from if they are not set. Default {@link
 *     Preset#BALANCED}
 * @param initialParallelismFactor the share of the maximum to start with, 0.1 to 1. Default 0.5
 * @param minParallelism the level that throttling never goes below, at least 1. Default 1
 * @param increaseRate what is added after sustained success, at least 1. Default 2
 * @param decreaseFactor the share of its level that a throttled connection keeps, 0.1 to 0.9.
 *     Default 0.5
 * @param stabilizationBatches successes needed before an increase, at least 1. Default 3
 * @param minIncreaseInterval time needed between increases, zero or more. Default 5 s
 * @param recoveryMultiplier how many times faster to rise below the last known good level, 0.1 to
 *     100. Default 2
 * @param lastKnownGoodTtl how long the last known good level is believed, positive. Default 5 min
 * @param idleResetPeriod after how much idleness to start afresh, positive. Default 5 min
 * @param executionTimeCeilingFactor seconds of execution that may be in flight at once, at least 1:
 *     the ceiling is this, divided by the average batch's seconds. Default: the preset's
 * @param slowBatchThresholdMs the average batch, in milliseconds, from which the ceiling applies,
 *     zero or more. Default: the preset's
 */
public record AdaptiveRateOptions(
    Optional<PolicyName> policy,
    boolean enabled,
    Preset preset,
    double initialParallelismFactor,
    int minParallelism,
    int increaseRate,
    double decreaseFactor,
    int stabilizationBatches,
    Duration minIncreaseInterval,
    double recoveryMultiplier,
    Duration lastKnownGoodTtl,
    Duration idleResetPeriod,
    int executionTimeCeilingFactor,
    int slowBatchThresholdMs) {

  /** Nothing set: every default, and no policy asked for. */
  public static final AdaptiveRateOptions DEFAULTS = builder().build();

  public AdaptiveRateOptions {
    if (enabled == policy.equals(Optional.of(PolicyName.FIXED))) {
      throw new IllegalArgumentException(
          "enabled is "
              + enabled
              + ", but policy is "
              + policy.map(PolicyName::wireName).orElse("not set")
              + " (enabled is false exactly if policy is fixed; leave one of them out)");
    }
    between(
        "initialParallelismFactor",
        initialParallelismFactor,
        0.1,
        1.0,
        "the share of its maximum that a connection starts with");
    atLeast("minParallelism", minParallelism, 1, "the level that throttling never takes it below");
    atLeast("increaseRate", increaseRate, 1, "what is added to the level after sustained success");
    between(
        "decreaseFactor",
        decreaseFactor,
        0.1,
        0.9,
        "the share of its parallelism that a connection keeps when it is throttled");
    atLeast("stabilizationBatches", stabilizationBatches, 1, "successes needed before an increase");
    if (minIncreaseInterval.isNegative()) {
      throw refused(
          "minIncreaseInterval",
          minIncreaseInterval,
          "be zero or more",
          "time needed between increases");
    }
    between(
        "recoveryMultiplier",
        recoveryMultiplier,
        0.1,
        100.0,
        "how many times faster to rise below the last known good level");
    positive("lastKnownGoodTtl", lastKnownGoodTtl, "how long that level is believed");
    positive("idleResetPeriod", idleResetPeriod, "after how much idleness to start afresh");
    atLeast(
        "executionTimeCeilingFactor",
        executionTimeCeilingFactor,
        1,
        "seconds of execution that may be in flight at once");
    atLeast(
        "slowBatchThresholdMs",
        slowBatchThresholdMs,
        0,
        "the average batch from which the execution-time ceiling applies");
  }

  /** Starts from the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  private static void atLeast(String option, int value, int least, String meaning) {
    if (value < least) {
      throw refused(option, value, "be " + least + " or more", meaning);
    }
  }

  /** Written so that NaN, which compares false with everything, is refused. */
  private static void between(
      String option, double value, double least, double most, String meaning) {
    if (!(value >= least && value <= most)) {
      throw refused(option, value, "lie between " + least + " and " + most, meaning);
    }
  }

  private static void positive(String option, Duration value, String meaning) {
    if (!value.isPositive()) {
      throw refused(option, value, "be positive", meaning);
    }
  }

  private static IllegalArgumentException refused(
      String option, Object value, String range, String meaning) {
    return new IllegalArgumentException(
        option + " is " + value + ", but must " + range + " (" + meaning + ")");
  }

  /**
   * Collects options; nothing is checked before {@link #build()}, so their order does not matter.
   * For use by one thread.
   */
  public static final class Builder {
    private final List<String> tuned = new ArrayList<>();
    private @Nullable PolicyName policy;
    private @Nullable Boolean enabled;
    private Preset preset = Preset.BALANCED;
    private double initialParallelismFactor = 0.5;
    private int minParallelism = 1;
    private int increaseRate = 2;
    private double decreaseFactor = 0.5;
    private int stabilizationBatches = 3;
    private Duration minIncreaseInterval = Duration.ofSeconds(5);
    private double recoveryMultiplier = 2.0;
    private Duration lastKnownGoodTtl = Duration.ofMinutes(5);
    private Duration idleResetPeriod = Duration.ofMinutes(5);
    private @Nullable Integer executionTimeCeilingFactor;
    private @Nullable Integer slowBatchThresholdMs;

    private Builder() {}

    /** Names the policy instead of having it follow from what else is set. */
    public Builder policy(PolicyName value) {
      policy = value;
      return this;
    }

    /** {@code false}: stay at the recommended parallelism, whatever else is set. */
    public Builder enabled(boolean value) {
      enabled = value;
      return this;
    }

    /** See {@link AdaptiveRateOptions#preset()}. */
    public Builder preset(Preset value) {
      preset = value;
      return tuned("preset");
    }

    /** See {@link AdaptiveRateOptions#initialParallelismFactor()}. */
    public Builder initialParallelismFactor(double value) {
      initialParallelismFactor = value;
      return tuned("initialParallelismFactor");
    }

    /** See {@link AdaptiveRateOptions#minParallelism()}. */
    public Builder minParallelism(int value) {
      minParallelism = value;
      return tuned("minParallelism");
    }

    /** See {@link AdaptiveRateOptions#increaseRate()}. */
    public Builder increaseRate(int value) {
      increaseRate = value;
      return tuned("increaseRate");
    }

    /** See {@link AdaptiveRateOptions#decreaseFactor()}. */
    public Builder decreaseFactor(double value) {
      decreaseFactor = value;
      return tuned("decreaseFactor");
    }

    /** See {@link AdaptiveRateOptions#stabilizationBatches()}. */
    public Builder stabilizationBatches(int value) {
      stabilizationBatches = value;
      return tuned("stabilizationBatches");
    }

    /** See {@link AdaptiveRateOptions#minIncreaseInterval()}. */
    public Builder minIncreaseInterval(Duration value) {
      minIncreaseInterval = value;
      return tuned("minIncreaseInterval");
    }

    /** See {@link AdaptiveRateOptions#recoveryMultiplier()}. */
    public Builder recoveryMultiplier(double value) {
      recoveryMultiplier = value;
      return tuned("recoveryMultiplier");
    }

    /** See {@link AdaptiveRateOptions#lastKnownGoodTtl()}. */
    public Builder lastKnownGoodTtl(Duration value) {
      lastKnownGoodTtl = value;
      return tuned("lastKnownGoodTtl");
    }

    /** See {@link AdaptiveRateOptions#idleResetPeriod()}. */
    public Builder idleResetPeriod(Duration value) {
      idleResetPeriod = value;
      return tuned("idleResetPeriod");
    }

    /** See {@link AdaptiveRateOptions#executionTimeCeilingFactor()}. */
    public Builder executionTimeCeilingFactor(int value) {
      executionTimeCeilingFactor = value;
      return tuned("executionTimeCeilingFactor");
    }

    /** See {@link AdaptiveRateOptions#slowBatchThresholdMs()}. */
    public Builder slowBatchThresholdMs(int value) {
      slowBatchThresholdMs = value;
      return tuned("slowBatchThresholdMs");
    }

    /**
     * Checks every option and what they say together.
     *
     * @throws IllegalArgumentException if a value is out of its range, or if they contradict each
     *     other: {@code enabled} against {@code policy}, or tuning for a policy that would ignore
     *     it
     */
    public AdaptiveRateOptions build() {
      Optional<PolicyName> selected = selected();
      return new AdaptiveRateOptions(
          selected,
          enabled != null ? enabled : !selected.equals(Optional.of(PolicyName.FIXED)),
          preset,
          initialParallelismFactor,
          minParallelism,
          increaseRate,
          decreaseFactor,
          stabilizationBatches,
          minIncreaseInterval,
          recoveryMultiplier,
          lastKnownGoodTtl,
          idleResetPeriod,
          executionTimeCeilingFactor != null
              ? executionTimeCeilingFactor
              : preset.executionTimeCeilingFactor(),
          slowBatchThresholdMs != null ? slowBatchThresholdMs : preset.slowBatchThresholdMs());
    }

    private Optional<PolicyName> selected() {
      boolean switchedOff = enabled != null && !enabled;
      if (policy == null) {
        if (switchedOff) {
          return Optional.of(PolicyName.FIXED);
        }
        boolean silent = enabled == null && tuned.isEmpty();
        return silent ? Optional.empty() : Optional.of(PolicyName.AIMD);
      }
      // Switching off is meant to leave the tuning where it is; naming another policy is not.
      if (policy != PolicyName.AIMD && !switchedOff && !tuned.isEmpty()) {
        throw new IllegalArgumentException(
            tuned.getFirst()
                + " is set, but policy is "
                + policy.wireName()
                + ", which does not use it (leave it out, or choose policy aimd)");
      }
      return Optional.of(policy);
    }

    private Builder tuned(String option) {
      tuned.add(option);
      return this;
    }
  }
}

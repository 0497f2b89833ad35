package dev.sluice.control.parallelism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class AdaptiveRateOptionsTest {

  @Test
  void defaults_are_those_of_the_documents() {
    AdaptiveRateOptions options = AdaptiveRateOptions.DEFAULTS;
    assertThat(options.enabled()).isTrue();
    assertThat(options.preset()).isEqualTo(Preset.BALANCED);
    assertThat(options.initialParallelismFactor()).isEqualTo(0.5);
    assertThat(options.minParallelism()).isEqualTo(1);
    assertThat(options.increaseRate()).isEqualTo(2);
    assertThat(options.decreaseFactor()).isEqualTo(0.5);
    assertThat(options.stabilizationBatches()).isEqualTo(3);
    assertThat(options.minIncreaseInterval()).isEqualTo(Duration.ofSeconds(5));
    assertThat(options.recoveryMultiplier()).isEqualTo(2.0);
    assertThat(options.lastKnownGoodTtl()).isEqualTo(Duration.ofMinutes(5));
    assertThat(options.idleResetPeriod()).isEqualTo(Duration.ofMinutes(5));
    assertThat(options.executionTimeCeilingFactor()).isEqualTo(200);
    assertThat(options.slowBatchThresholdMs()).isEqualTo(8_000);
  }

  @Test
  void what_is_set_is_what_is_built() {
    AdaptiveRateOptions options =
        AdaptiveRateOptions.builder()
            .policy(PolicyName.AIMD)
            .enabled(true)
            .preset(Preset.AGGRESSIVE)
            .initialParallelismFactor(0.2)
            .minParallelism(3)
            .increaseRate(4)
            .decreaseFactor(0.7)
            .stabilizationBatches(6)
            .minIncreaseInterval(Duration.ofSeconds(7))
            .recoveryMultiplier(1.5)
            .lastKnownGoodTtl(Duration.ofMinutes(8))
            .idleResetPeriod(Duration.ofMinutes(9))
            .executionTimeCeilingFactor(100)
            .slowBatchThresholdMs(11)
            .build();
    assertThat(options)
        .hasToString(
            "AdaptiveRateOptions[policy=Optional[AIMD], enabled=true, preset=AGGRESSIVE,"
                + " initialParallelismFactor=0.2, minParallelism=3, increaseRate=4,"
                + " decreaseFactor=0.7, stabilizationBatches=6, minIncreaseInterval=PT7S,"
                + " recoveryMultiplier=1.5, lastKnownGoodTtl=PT8M, idleResetPeriod=PT9M,"
                + " executionTimeCeilingFactor=100, slowBatchThresholdMs=11]");
  }

  static Stream<Arguments> outOfRange() {
    return Stream.of(
        bad(
            "initialParallelismFactor is 0.09, but must lie between 0.1 and 1.0",
            b -> b.initialParallelismFactor(0.09)),
        bad(
            "initialParallelismFactor is 1.01, but must lie between 0.1 and 1.0",
            b -> b.initialParallelismFactor(1.01)),
        bad(
            "initialParallelismFactor is NaN, but must lie between 0.1 and 1.0",
            b -> b.initialParallelismFactor(Double.NaN)),
        bad("minParallelism is 0, but must be 1 or more", b -> b.minParallelism(0)),
        bad("increaseRate is 0, but must be 1 or more", b -> b.increaseRate(0)),
        bad(
            "decreaseFactor is 0.09, but must lie between 0.1 and 0.9",
            b -> b.decreaseFactor(0.09)),
        bad("decreaseFactor is 1.5, but must lie between 0.1 and 0.9", b -> b.decreaseFactor(1.5)),
        bad("stabilizationBatches is 0, but must be 1 or more", b -> b.stabilizationBatches(0)),
        bad(
            "minIncreaseInterval is PT-0.000000001S, but must be zero or more",
            b -> b.minIncreaseInterval(Duration.ofNanos(-1))),
        bad(
            "recoveryMultiplier is 0.0, but must lie between 0.1 and 100.0",
            b -> b.recoveryMultiplier(0)),
        bad(
            "recoveryMultiplier is Infinity, but must lie between 0.1 and 100.0",
            b -> b.recoveryMultiplier(Double.POSITIVE_INFINITY)),
        bad(
            "lastKnownGoodTtl is PT0S, but must be positive",
            b -> b.lastKnownGoodTtl(Duration.ZERO)),
        bad(
            "idleResetPeriod is PT-1S, but must be positive",
            b -> b.idleResetPeriod(Duration.ofSeconds(-1))),
        bad(
            "executionTimeCeilingFactor is 0, but must be 1 or more",
            b -> b.executionTimeCeilingFactor(0)),
        bad("slowBatchThresholdMs is -1, but must be 0 or more", b -> b.slowBatchThresholdMs(-1)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("outOfRange")
  void a_value_out_of_range_is_refused_with_option_value_range_and_meaning(
      String expected, UnaryOperator<AdaptiveRateOptions.Builder> bad) {
    AdaptiveRateOptions.Builder builder = bad.apply(AdaptiveRateOptions.builder());
    assertThatIllegalArgumentException()
        .isThrownBy(builder::build)
        .withMessageStartingWith(expected + " (")
        .withMessageMatching(".* \\([a-z -]{20,}\\)");
  }

  static Stream<Arguments> edges() {
    return Stream.of(
        bad("0.1", b -> b.initialParallelismFactor(0.1)),
        bad("1.0", b -> b.initialParallelismFactor(1.0)),
        bad("0.1", b -> b.decreaseFactor(0.1)),
        bad("0.9", b -> b.decreaseFactor(0.9)),
        bad("1", b -> b.increaseRate(1)),
        bad("1", b -> b.stabilizationBatches(1)),
        bad("zero", b -> b.minIncreaseInterval(Duration.ZERO)),
        bad("0.1", b -> b.recoveryMultiplier(0.1)),
        bad("100", b -> b.recoveryMultiplier(100)),
        bad("1 ns", b -> b.lastKnownGoodTtl(Duration.ofNanos(1))),
        bad("1 ns", b -> b.idleResetPeriod(Duration.ofNanos(1))),
        bad("1", b -> b.executionTimeCeilingFactor(1)),
        bad("0", b -> b.slowBatchThresholdMs(0)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("edges")
  void the_edges_of_each_range_are_allowed(
      String edge, UnaryOperator<AdaptiveRateOptions.Builder> good) {
    assertThatNoException().isThrownBy(good.apply(AdaptiveRateOptions.builder())::build);
  }

  private static Arguments bad(String message, UnaryOperator<AdaptiveRateOptions.Builder> change) {
    return Arguments.of(message, change);
  }

  @Nested
  class Presets {

    @ParameterizedTest
    @CsvSource({"CONSERVATIVE, 180, 7000", "BALANCED, 200, 8000", "AGGRESSIVE, 320, 11000"})
    void a_preset_alone_gives_both_of_its_values(Preset preset, int factor, int threshold) {
      AdaptiveRateOptions options = AdaptiveRateOptions.builder().preset(preset).build();
      assertThat(options.preset()).isEqualTo(preset);
      assertThat(options.executionTimeCeilingFactor()).isEqualTo(factor);
      assertThat(options.slowBatchThresholdMs()).isEqualTo(threshold);
    }

    @Test
    void an_explicit_value_set_after_the_preset_wins_and_leaves_the_other_to_the_preset() {
      AdaptiveRateOptions options =
          AdaptiveRateOptions.builder()
              .preset(Preset.CONSERVATIVE)
              .executionTimeCeilingFactor(200)
              .build();
      assertThat(options.executionTimeCeilingFactor()).isEqualTo(200);
      assertThat(options.slowBatchThresholdMs()).isEqualTo(7_000);
    }

    @Test
    void an_explicit_value_set_before_the_preset_wins_just_the_same() {
      AdaptiveRateOptions options =
          AdaptiveRateOptions.builder()
              .slowBatchThresholdMs(9_000)
              .preset(Preset.CONSERVATIVE)
              .build();
      assertThat(options.executionTimeCeilingFactor()).isEqualTo(180);
      assertThat(options.slowBatchThresholdMs()).isEqualTo(9_000);
    }

    @Test
    void a_fine_tuned_preset_is_the_same_in_every_order() {
      AdaptiveRateOptions presetFirst =
          AdaptiveRateOptions.builder()
              .preset(Preset.BALANCED)
              .executionTimeCeilingFactor(180)
              .slowBatchThresholdMs(7_000)
              .build();
      AdaptiveRateOptions presetLast =
          AdaptiveRateOptions.builder()
              .slowBatchThresholdMs(7_000)
              .executionTimeCeilingFactor(180)
              .preset(Preset.BALANCED)
              .build();
      assertThat(presetFirst).isEqualTo(presetLast);
      assertThat(presetFirst.executionTimeCeilingFactor()).isEqualTo(180);
      assertThat(presetFirst.slowBatchThresholdMs()).isEqualTo(7_000);
    }

    @Test
    void wire_names_are_stable() {
      assertThat(Stream.of(Preset.values()).map(Preset::wireName))
          .containsExactly("conservative", "balanced", "aggressive");
    }
  }

  /** Settled point 13. */
  @Nested
  class PolicySelection {

    @Test
    void point_13_nothing_set_asks_for_no_policy() {
      assertThat(AdaptiveRateOptions.DEFAULTS.policy()).isEmpty();
    }

    @Test
    void point_13_enabled_false_means_fixed() {
      AdaptiveRateOptions options = AdaptiveRateOptions.builder().enabled(false).build();
      assertThat(options.policy()).contains(PolicyName.FIXED);
      assertThat(options.enabled()).isFalse();
    }

    static Stream<Arguments> tunings() {
      return Stream.of(
          bad("enabled", b -> b.enabled(true)),
          bad("preset", b -> b.preset(Preset.BALANCED)),
          bad("initialParallelismFactor", b -> b.initialParallelismFactor(0.5)),
          bad("minParallelism", b -> b.minParallelism(1)),
          bad("increaseRate", b -> b.increaseRate(2)),
          bad("decreaseFactor", b -> b.decreaseFactor(0.5)),
          bad("stabilizationBatches", b -> b.stabilizationBatches(3)),
          bad("minIncreaseInterval", b -> b.minIncreaseInterval(Duration.ofSeconds(5))),
          bad("recoveryMultiplier", b -> b.recoveryMultiplier(2)),
          bad("lastKnownGoodTtl", b -> b.lastKnownGoodTtl(Duration.ofMinutes(5))),
          bad("idleResetPeriod", b -> b.idleResetPeriod(Duration.ofMinutes(5))),
          bad("executionTimeCeilingFactor", b -> b.executionTimeCeilingFactor(200)),
          bad("slowBatchThresholdMs", b -> b.slowBatchThresholdMs(8_000)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tunings")
    void point_13_any_option_without_a_policy_selects_aimd(
        String option, UnaryOperator<AdaptiveRateOptions.Builder> tuning) {
      AdaptiveRateOptions options = tuning.apply(AdaptiveRateOptions.builder()).build();
      assertThat(options.policy()).as(option).contains(PolicyName.AIMD);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tunings")
    void point_13_tuning_for_a_policy_that_would_ignore_it_is_refused(
        String option, UnaryOperator<AdaptiveRateOptions.Builder> tuning) {
      AdaptiveRateOptions.Builder builder =
          tuning.apply(AdaptiveRateOptions.builder()).policy(PolicyName.FIXED);
      assertThatIllegalArgumentException()
          .isThrownBy(builder::build)
          .withMessageStartingWith(option + " is ")
          .withMessageContaining("policy is fixed");
    }

    @Test
    void point_13_a_policy_that_is_named_is_selected() {
      for (PolicyName name : PolicyName.values()) {
        AdaptiveRateOptions options = AdaptiveRateOptions.builder().policy(name).build();
        assertThat(options.policy()).contains(name);
        assertThat(options.enabled()).isEqualTo(name != PolicyName.FIXED);
      }
    }

    @Test
    void point_13_enabled_false_with_a_policy_that_adapts_is_refused() {
      AdaptiveRateOptions.Builder builder =
          AdaptiveRateOptions.builder().policy(PolicyName.AIMD).enabled(false);
      assertThatIllegalArgumentException()
          .isThrownBy(builder::build)
          .withMessageStartingWith("enabled is false, but policy is aimd");
    }

    @Test
    void point_13_enabled_true_with_the_fixed_policy_is_refused() {
      AdaptiveRateOptions.Builder builder =
          AdaptiveRateOptions.builder().enabled(true).policy(PolicyName.FIXED);
      assertThatIllegalArgumentException()
          .isThrownBy(builder::build)
          .withMessageStartingWith("enabled is true, but policy is fixed");
    }

    @Test
    void point_13_switching_off_leaves_the_tuning_in_place() {
      AdaptiveRateOptions off =
          AdaptiveRateOptions.builder().preset(Preset.CONSERVATIVE).enabled(false).build();
      AdaptiveRateOptions offByName =
          AdaptiveRateOptions.builder()
              .preset(Preset.CONSERVATIVE)
              .enabled(false)
              .policy(PolicyName.FIXED)
              .build();
      assertThat(off).isEqualTo(offByName);
      assertThat(off.policy()).contains(PolicyName.FIXED);
    }

    @Test
    void wire_names_are_stable() {
      assertThat(Stream.of(PolicyName.values()).map(PolicyName::wireName))
          .containsExactly("fixed", "aimd", "quota");
    }
  }
}

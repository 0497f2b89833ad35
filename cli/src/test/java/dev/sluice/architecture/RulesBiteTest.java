package dev.sluice.architecture;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule of the house finds what was written to break it, in the packages called offence. */
class RulesBiteTest {
  private static final JavaClasses OFFENCES =
      new ClassFileImporter()
          .importPackages(
              "dev.sluice.arena.offence",
              "dev.sluice.control.offence",
              "dev.sluice.gate.offence",
              "dev.sluice.stray");

  private static final Map<Forbidden, String> OFFENDERS =
      Map.of(
          Forbidden.CLOCKS, "ReadsClocks",
          Forbidden.WAITS, "Waits",
          Forbidden.THREADS, "StartsThreads",
          Forbidden.CHANCE, "TakesChances");

  private static final Map<Forbidden, String> ROUND_THE_TIME_SEAM =
      Arrays.stream(Forbidden.values())
          .collect(
              toMap(kind -> kind, kind -> violations(HouseRules.nothingOutsideTheTimeSeam(kind))));

  @ParameterizedTest
  @MethodSource("forbidden")
  void every_way_round_the_time_seam_is_found(Forbidden kind, String method) {
    assertThat(ROUND_THE_TIME_SEAM.get(kind))
        .containsPattern("offence\\.%s(\\$\\d)?\\.%s\\(".formatted(OFFENDERS.get(kind), method));
  }

  static Stream<Object[]> forbidden() {
    return OFFENDERS.entrySet().stream()
        .flatMap(
            entry ->
                offender(entry.getValue()).getMethods().stream()
                    .filter(method -> !method.getModifiers().contains(JavaModifier.SYNTHETIC))
                    .map(method -> new Object[] {entry.getKey(), method.getName()}));
  }

  @ParameterizedTest
  @EnumSource
  void what_only_looks_like_an_offence_is_let_pass(Forbidden kind) {
    assertThat(ROUND_THE_TIME_SEAM.get(kind)).doesNotContain("Innocent");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UsesTheGate", "Logs", "ReadsFiles", "Prints"})
  void control_may_not(String offender) {
    assertThat(violations(Module.CONTROL.usesOnlyWhatItMay())).contains("offence." + offender);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UsesTheCommandLine", "UsesALibraryOfTheCommandLine"})
  void the_gate_may_not(String offender) {
    assertThat(violations(Module.GATE.usesOnlyWhatItMay())).contains("offence." + offender);
  }

  @Test
  void a_class_outside_the_table_is_found() {
    assertThat(violations(HouseRules.EVERY_CLASS_IS_IN_A_MODULE_OF_THE_TABLE))
        .contains("Homeless")
        .doesNotContain("Logs");
  }

  @Test
  void a_circle_of_packages_is_found() {
    assertThat(violations(HouseRules.PACKAGES_DO_NOT_DEPEND_ON_EACH_OTHER_IN_CIRCLES))
        .contains("offence.here", "offence.there");
  }

  @Test
  void micrometer_outside_the_metrics_is_found() {
    assertThat(violations(HouseRules.ONLY_THE_METRICS_KNOW_MICROMETER)).contains("Measures");
  }

  @ParameterizedTest
  @ValueSource(strings = {"OwnPolicy", "OwnStrategy", "TouchesLanes"})
  void the_arena_may_not_have(String offender) {
    assertThat(violations(HouseRules.THE_ARENA_PLAYS_WHAT_IS_SHIPPED))
        .contains("offence." + offender);
  }

  @Test
  void a_synchronized_method_is_found() {
    assertThat(violations(HouseRules.NO_METHOD_IS_SYNCHRONIZED)).contains("PermitManager.manage");
  }

  @Test
  void a_name_that_says_nothing_is_found() {
    assertThat(violations(HouseRules.NAMES_COME_FROM_THE_DOMAIN)).contains("PermitManager");
  }

  @Test
  void a_package_that_is_not_null_marked_is_found() {
    assertThat(violations(HouseRules.EVERY_PACKAGE_IS_NULL_MARKED)).contains("dev.sluice.stray");
  }

  private static String violations(ArchRule rule) {
    return rule.evaluate(OFFENCES).getFailureReport().getDetails().stream().collect(joining("\n"));
  }

  private static JavaClass offender(String name) {
    return OFFENCES.get("dev.sluice.gate.offence." + name);
  }
}

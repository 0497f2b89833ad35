package dev.sluice.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The house as it stands keeps its rules. That the rules can be broken at all: {@link
 * RulesBiteTest}.
 */
class ArchitectureTest {
  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.sluice");

  @ParameterizedTest
  @EnumSource
  void a_module_uses_only_what_the_table_allows_it(Module module) {
    module.usesOnlyWhatItMay().check(HOUSE);
  }

  @ParameterizedTest
  @EnumSource(names = "BENCH", mode = EnumSource.Mode.EXCLUDE)
  void every_module_of_the_table_is_looked_at(Module module) {
    assertThat(HOUSE).anyMatch(type -> isIn(module, type));
  }

  @Test
  void every_module_of_the_build_is_in_the_table() throws IOException {
    String pom = Files.readString(Path.of("..", "pom.xml"));
    assertThat(Pattern.compile("<module>(.+)</module>").matcher(pom).results())
        .map(found -> found.group(1))
        .filteredOn(folder -> !folder.equals("bom")) // versions only, no classes
        .isSubsetOf(Arrays.stream(Module.values()).map(Module::folder).toList());
  }

  @Test
  void every_class_is_in_a_module_of_the_table() {
    HouseRules.EVERY_CLASS_IS_IN_A_MODULE_OF_THE_TABLE.check(HOUSE);
  }

  @ParameterizedTest
  @EnumSource
  void only_the_time_seam_touches(Forbidden kind) {
    HouseRules.nothingOutsideTheTimeSeam(kind).check(HOUSE);
  }

  @ParameterizedTest
  @EnumSource(names = "CHANCE", mode = EnumSource.Mode.EXCLUDE)
  void the_time_seam_itself_does(Forbidden kind) {
    assertThat(
            noClasses().should().accessTargetWhere(kind.accesses()).evaluate(HOUSE).hasViolation())
        .isTrue();
  }

  @Test
  void packages_do_not_depend_on_each_other_in_circles() {
    HouseRules.PACKAGES_DO_NOT_DEPEND_ON_EACH_OTHER_IN_CIRCLES.check(HOUSE);
  }

  @Test
  void only_the_metrics_know_micrometer() {
    HouseRules.ONLY_THE_METRICS_KNOW_MICROMETER.check(HOUSE);
  }

  @Test
  void the_arena_plays_what_is_shipped() {
    HouseRules.THE_ARENA_PLAYS_WHAT_IS_SHIPPED.check(HOUSE);
  }

  @Test
  void no_method_is_synchronized() {
    HouseRules.NO_METHOD_IS_SYNCHRONIZED.check(HOUSE);
  }

  @Test
  void names_come_from_the_domain() {
    HouseRules.NAMES_COME_FROM_THE_DOMAIN.check(HOUSE);
  }

  @Test
  void every_package_is_null_marked() {
    HouseRules.EVERY_PACKAGE_IS_NULL_MARKED.check(HOUSE);
  }

  private static boolean isIn(Module module, JavaClass type) {
    return (type.getPackageName() + ".").startsWith("dev.sluice." + module.folder() + ".");
  }
}

package dev.sluice.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.sluice.control.lane.Lane;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.routing.SelectionStrategy;
import org.jspecify.annotations.NullMarked;

/** The rules that hold across modules, beside the table in {@link Module}. */
final class HouseRules {

  static final String TIME_SEAM = "dev.sluice.gate.time";
  static final String METRICS = "dev.sluice.gate.metrics..";

  static final ArchRule EVERY_CLASS_IS_IN_A_MODULE_OF_THE_TABLE =
      classes().should().resideInAnyPackage(Module.allPackages());

  static final ArchRule PACKAGES_DO_NOT_DEPEND_ON_EACH_OTHER_IN_CIRCLES =
      slices().matching("dev.sluice.(**)").should().beFreeOfCycles();

  static final ArchRule ONLY_THE_METRICS_KNOW_MICROMETER =
      noClasses()
          .that()
          .resideOutsideOfPackage(METRICS)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.micrometer..")
          .because("whoever leaves Micrometer out must be able to load everything else");

  static final ArchRule THE_ARENA_PLAYS_WHAT_IS_SHIPPED =
      noClasses()
          .that()
          .resideInAPackage(Module.ARENA.packages())
          .should()
          .beAssignableTo(Policy.class)
          .orShould()
          .beAssignableTo(SelectionStrategy.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Lane.class)
          .because("what wins there and is not shipped helps nobody");

  static final ArchRule NO_METHOD_IS_SYNCHRONIZED =
      noMethods()
          .should()
          .haveModifier(JavaModifier.SYNCHRONIZED)
          .because("a lock has a name (ReentrantLock), and no virtual thread is pinned by it");

  static final ArchRule NAMES_COME_FROM_THE_DOMAIN =
      noClasses()
          .should()
          .haveSimpleNameEndingWith("Manager")
          .orShould()
          .haveSimpleNameEndingWith("Helper")
          .orShould()
          .haveSimpleNameEndingWith("Util")
          .orShould()
          .haveSimpleNameEndingWith("Utils")
          .orShould()
          .haveSimpleNameEndingWith("Impl")
          .orShould()
          .haveSimpleNameEndingWith("Data")
          .orShould()
          .haveSimpleNameEndingWith("Info");

  static final ArchRule EVERY_PACKAGE_IS_NULL_MARKED =
      classes()
          .should(
              new ArchCondition<JavaClass>("be in a package that is @NullMarked") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                  boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
                  events.add(
                      new SimpleConditionEvent(
                          type,
                          marked,
                          "%s has no package-info.java with @NullMarked"
                              .formatted(type.getPackageName())));
                }
              });

  private HouseRules() {}

  /** Everything that must go through {@code Time} or be given: see {@link Forbidden}. */
  static ArchRule nothingOutsideTheTimeSeam(Forbidden kind) {
    return noClasses()
        .that()
        .resideOutsideOfPackage(TIME_SEAM)
        .should()
        .accessTargetWhere(kind.accesses())
        .because(kind.instead());
  }
}

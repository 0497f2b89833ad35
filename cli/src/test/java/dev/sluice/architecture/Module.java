package dev.sluice.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The modules and what each may use: data flows downwards. A new module starts with a line here.
 */
enum Module {
  /** Pure: of the JDK only what computes. No input or output, no network, no logging. */
  CONTROL(
      "java.lang",
      "java.lang.annotation",
      "java.lang.invoke",
      "java.math..",
      "java.time..",
      "java.util",
      "java.util.concurrent..",
      "java.util.function..",
      "java.util.random..",
      "java.util.stream.."),
  /** Micrometer is optional for users, so only the metrics may know it; see {@link HouseRules}. */
  GATE(
      "java..",
      "javax.net.ssl..",
      "dev.sluice.control..",
      "org.slf4j..",
      "io.micrometer..",
      "org.greenbytes.http.."),
  /** A leaf, too: whoever reads a file brings what it means. */
  CONFIG("java..", "tools.jackson.."),
  /** One model of each service, over the JDK's own HTTP server or in process. */
  SIMULATOR(
      "java..",
      "com.sun.net.httpserver..",
      "javax.net.ssl..",
      "dev.sluice.control..",
      "dev.sluice.gate..",
      "org.slf4j..",
      "tools.jackson.."),
  /** Everything goes out through its transport, which is the JDK's client or a twin in process. */
  DATAVERSE(
      "java..", "dev.sluice.control..", "dev.sluice.gate..", "org.slf4j..", "tools.jackson.."),
  /** What outlives a process; knows nothing of any service. */
  RUNS("java..", "dev.sluice.control..", "dev.sluice.gate..", "org.slf4j..", "org.sqlite.."),
  /** Knows providers only by their connectors. */
  COLLECT(
      "java..",
      "dev.sluice.config..",
      "dev.sluice.control..",
      "dev.sluice.gate..",
      "dev.sluice.runs..",
      "org.slf4j..",
      "tools.jackson.."),
  LOAD(
      "java..",
      "dev.sluice.config..",
      "dev.sluice.control..",
      "dev.sluice.gate..",
      "dev.sluice.dataverse..",
      "dev.sluice.runs..",
      "de.siegmar.fastcsv..",
      "org.slf4j..",
      "tools.jackson.."),
  /** Plays the product itself; the peers run as their libraries. */
  ARENA(
      "java..",
      "dev.sluice.control..",
      "dev.sluice.gate..",
      "dev.sluice.simulator..",
      "dev.sluice.dataverse..",
      "dev.sluice.runs..",
      "dev.sluice.collect..",
      "com.netflix.concurrency.limits..",
      "io.github.resilience4j..",
      "org.slf4j.."),
  CLI("java..", "javax.net.ssl..", "dev.sluice..", "org.slf4j..", "picocli..", "tools.jackson.."),
  /** Measures beside the peers. */
  BENCH("..");

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> mayUse;

  Module(String... mayUse) {
    this.mayUse = List.of(mayUse);
  }

  /** Its folder, which is also its package. */
  String folder() {
    return name().toLowerCase(Locale.ROOT);
  }

  String packages() {
    return "dev.sluice." + folder() + "..";
  }

  static String[] allPackages() {
    return Arrays.stream(values()).map(Module::packages).toArray(String[]::new);
  }

  ArchRule usesOnlyWhatItMay() {
    return classes()
        .that()
        .resideInAPackage(packages())
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            Stream.concat(Stream.of(packages(), "org.jspecify.."), mayUse.stream())
                .toArray(String[]::new))
        .as("%s uses only what the table of modules allows it".formatted(folder()))
        .allowEmptyShould(true);
  }
}

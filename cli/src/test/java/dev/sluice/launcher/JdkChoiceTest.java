package dev.sluice.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which JDK {@code ./sluice} and {@code ./verify} choose: the real script, on folders that look
 * like JDKs.
 */
class JdkChoiceTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final List<String> CHOOSE =
      List.of(
          "sh",
          "-euc",
          "me=test; root=$0; . \"$0/.mvn/build.sh\"; find_jdk; echo \"$jdk_major\" \"$JAVA_HOME\"",
          ROOT.toString());

  @TempDir private Path machine;
  private ProcessBuilder script;

  /** A machine without a JDK, whatever is installed on the one that runs the tests. */
  @BeforeEach
  void a_bare_machine() throws IOException {
    script = new ProcessBuilder(CHOOSE);
    Path first = program(machine.resolve("first/java")).getParent();
    Map<String, String> environment = script.environment();
    environment.merge("PATH", first + ":", (system, ours) -> ours + system);
    environment.put("HOME", machine.resolve("home").toString());
    environment.put("jvm_folders", machine.resolve("jvm").toString());
    environment.remove("JAVA_HOME");
    environment.remove("SLUICE_JAVA_HOME");
  }

  @Test
  void the_newest_of_the_installed_ones_is_chosen() throws Exception {
    jdk("jvm/java-21", "21.0.9");
    jdk("home/.jdks/temurin-25", "25.0.10");
    jdk("jvm/java-25", "25.0.9");
    jdk("home/.sdkman/candidates/java/17.0.1-tem", "17.0.1");
    assertThat(run()).isEqualTo(new Ran(0, "25 " + machine + "/home/.jdks/temurin-25", ""));
  }

  @ParameterizedTest
  @CsvSource({"26-ea, 25.0.3, 26", "21, 20.0.2, 21", "1.8.0_402, 21.0.1+12, 21"})
  void versions_are_compared_as_numbers(String one, String other, String major) throws Exception {
    jdk("jvm/one", one);
    jdk("jvm/other", other);
    assertThat(run().out()).startsWith(major + " ");
  }

  @Test
  void the_java_on_the_path_wins_over_newer_ones_elsewhere() throws Exception {
    jdk("jvm/java-25", "25.0.3");
    Path java = jdk("opt/java-21", "21.0.9").resolve("bin/java");
    Path alternative = Files.createSymbolicLink(machine.resolve("alternative"), java);
    Files.delete(machine.resolve("first/java"));
    Files.createSymbolicLink(machine.resolve("first/java"), alternative);
    assertThat(run()).isEqualTo(new Ran(0, "21 " + machine + "/opt/java-21", ""));
  }

  @Test
  void java_home_wins_over_the_path() throws Exception {
    jdk("jvm/java-25", "25.0.3");
    script.environment().put("JAVA_HOME", jdk("opt/java-21", "21.0.9").toString());
    assertThat(run()).isEqualTo(new Ran(0, "21 " + machine + "/opt/java-21", ""));
  }

  @Test
  void sluice_java_home_wins_over_java_home() throws Exception {
    script.environment().put("JAVA_HOME", jdk("opt/java-25", "25.0.3").toString());
    script.environment().put("SLUICE_JAVA_HOME", jdk("opt/java 21", "21.0.9").toString());
    assertThat(run()).isEqualTo(new Ran(0, "21 " + machine + "/opt/java 21", ""));
  }

  @Test
  void a_java_home_that_is_too_old_is_passed_over_with_a_word() throws Exception {
    jdk("jvm/java-25", "25.0.3");
    script.environment().put("JAVA_HOME", jdk("opt/java-17", "17.0.15").toString());
    Ran ran = run();
    assertThat(ran.out()).isEqualTo("25 " + machine + "/jvm/java-25");
    assertThat(ran.err())
        .isEqualTo(
            "test: JAVA_HOME is %s/opt/java-17, which holds JDK 17.0.15; using %s/jvm/java-25 instead"
                .formatted(machine, machine));
  }

  @ParameterizedTest
  @CsvSource({"17.0.15, JDK 17.0.15", "'', no JDK"})
  void a_sluice_java_home_that_will_not_do_is_an_error(String version, String holds)
      throws Exception {
    jdk("jvm/java-25", "25.0.3");
    Path asked = machine.resolve("opt/asked");
    if (!version.isEmpty()) {
      jdk("opt/asked", version);
    }
    script.environment().put("SLUICE_JAVA_HOME", asked.toString());
    Ran ran = run();
    assertThat(ran.code()).isEqualTo(3);
    assertThat(ran.err()).contains("which holds " + holds + "; it must name one of version 21");
  }

  @Test
  void a_runtime_without_a_compiler_is_no_jdk() throws Exception {
    jdk("jvm/java-21", "21.0.9");
    Files.delete(jdk("jvm/java-25-jre", "25.0.3").resolve("bin/javac"));
    assertThat(run().out()).startsWith("21 ");
  }

  @Test
  void without_a_jdk_it_says_what_to_install_and_what_it_saw() throws Exception {
    jdk("jvm/java-17", "17.0.15");
    Ran ran = run();
    assertThat(ran.code()).isEqualTo(3);
    assertThat(ran.err())
        .startsWith("test: no JDK of version 21 or newer was found, only: 17.0.15.")
        .contains("apt-get install", "SLUICE_JAVA_HOME");
  }

  private Path jdk(String folder, String version) throws IOException {
    Path home = machine.resolve(folder);
    program(home.resolve("bin/java"));
    program(home.resolve("bin/javac"));
    Files.writeString(
        home.resolve("release"),
        "IMPLEMENTOR=\"Nobody\"%nJAVA_VERSION=\"%s\"%nJAVA_VERSION_DATE=\"2026-01-01\"%n"
            .formatted(version));
    return home;
  }

  private static Path program(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    assertThat(Files.createFile(file).toFile().setExecutable(true)).isTrue();
    return file;
  }

  private Ran run() throws IOException, InterruptedException {
    Path out = machine.resolve("out");
    Path err = machine.resolve("err");
    int code = script.redirectOutput(out.toFile()).redirectError(err.toFile()).start().waitFor();
    return new Ran(
        code, Files.readString(out, UTF_8).strip(), Files.readString(err, UTF_8).strip());
  }

  private record Ran(int code, String out, String err) {}
}

package dev.sluice.gate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every requirement names tests that exist, or the work that will bring them. */
class TraceabilityTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "traceability.md");
  private static final List<String> MODULES =
      List.of(
          "control", "gate", "dataverse", "runs", "collect", "load", "simulator", "arena", "cli");

  private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w*)\\.([a-z]\\w*)`");
  private static final Pattern LATER = Pattern.compile("`later: several machines`");
  private static final Pattern TEST_METHOD =
      Pattern.compile("@(?:Test|ParameterizedTest)\\b.*?\\bvoid\\s+(\\w+)\\s*\\(", Pattern.DOTALL);

  /** One line of a table: what is required, and what shows it. */
  private record Row(String id, String requirement, String shownBy) {

    /** The row that a line of the document is; the heads of tables are none. */
    static Stream<Row> of(String line) {
      if (!line.startsWith("|") || line.startsWith("|---") || line.startsWith("| id |")) {
        return Stream.empty();
      }
      String[] cells = line.split("\\|", -1);
      assertThat(cells).as("cells, with what is outside, of %s", line).hasSize(5);
      return Stream.of(new Row(cells[1].strip(), cells[2].strip(), cells[3].strip()));
    }

    List<MatchResult> tests() {
      return NAMED.matcher(shownBy).results().toList();
    }

    boolean isForLater() {
      return LATER.matcher(shownBy).find();
    }
  }

  @Test
  void every_test_that_is_named_exists() throws IOException {
    Map<String, Set<String>> existing = testMethods();
    List<String> missing = new ArrayList<>();
    for (Row row : rows()) {
      for (MatchResult test : row.tests()) {
        if (!existing.getOrDefault(test.group(1), Set.of()).contains(test.group(2))) {
          missing.add(row.id() + ": " + test.group(1) + "." + test.group(2));
        }
      }
    }
    assertThat(missing).as("tests that %s names and nobody wrote", DOCUMENT).isEmpty();
  }

  @Test
  void every_requirement_names_a_test_or_later_work() throws IOException {
    List<String> missing = new ArrayList<>();
    for (Row row : rows()) {
      if (row.tests().isEmpty() && !row.isForLater()) {
        missing.add(row.id() + ": " + row.requirement());
      }
    }
    assertThat(missing).as("requirements in %s without a test", DOCUMENT).isEmpty();
  }

  @Test
  void every_id_is_used_once() throws IOException {
    assertThat(rows()).extracting(Row::id).doesNotContain("").doesNotHaveDuplicates();
  }

  private static List<Row> rows() throws IOException {
    List<Row> rows = Files.readAllLines(DOCUMENT, UTF_8).stream().flatMap(Row::of).toList();
    assertThat(rows).as("rows of %s", DOCUMENT).isNotEmpty();
    return rows;
  }

  /** The test methods of every test source, nested ones included, by the name of its file. */
  private static Map<String, Set<String>> testMethods() throws IOException {
    Map<String, Set<String>> found = new HashMap<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "test"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          String name = file.getFileName().toString();
          found
              .computeIfAbsent(
                  name.substring(0, name.length() - ".java".length()), unused -> new HashSet<>())
              .addAll(methodsOf(Files.readString(file)));
        }
      }
    }
    return found;
  }

  private static Set<String> methodsOf(String source) {
    return TEST_METHOD
        .matcher(source)
        .results()
        .map(result -> result.group(1))
        .collect(toCollection(HashSet::new));
  }
}

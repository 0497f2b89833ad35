package dev.sluice.cli.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.LoadStage;
import dev.sluice.cli.Ran;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every key of every file that people write is known, and nothing else is: files that use all of
 * them are read, and each that is misspelt is refused with its line.
 */
class YamlKeysTest {
  private static final Pattern KEY = Pattern.compile("( *(?:- )?)([A-Za-z][\\w-]*)(:(?: .*)?)");
  private static final Pattern OWN = Pattern.compile(".* # own");
  private static final Pattern ELSEWHERE = Pattern.compile(".* # elsewhere");
  private static final String MISSPELT = "qqq";

  @TempDir Path folder;

  private Shop shop;
  private LoadStage stage;

  @BeforeEach
  void open() throws IOException {
    shop = new Shop();
    stage = new LoadStage(folder);
  }

  @AfterEach
  void close() {
    stage.close();
    shop.close();
  }

  @Test
  void every_key_of_a_configuration_is_known_and_no_other_is() throws IOException {
    Function<Path, Ran> probe = file -> Ran.of("probe", "--config", file.toString());
    for (Path file : Golden.files("yaml/configuration", ".yaml")) {
      assertThatEachKeyIsKnown(file, probe);
    }
  }

  @Test
  void a_configuration_in_the_json_of_the_documents_is_read() throws IOException {
    for (Path file : Golden.files("yaml/configuration", ".json")) {
      Ran ran = Ran.of("probe", "--config", write(file, Files.readAllLines(file)).toString());
      assertThat(ran.code()).as(ran.err()).isZero();
    }
  }

  @Test
  void every_key_of_a_mapping_is_known_and_no_other_is() throws IOException {
    Path input = Golden.file("yaml/mapping/input.csv");
    for (Path file : Golden.files("yaml/mapping", ".yaml")) {
      assertThatEachKeyIsKnown(
          file,
          mapping ->
              stage.load("account", input, "--op", "upsert", "--mapping", mapping, "--dry-run"));
    }
  }

  @Test
  void every_key_of_a_connector_is_known_and_no_other_is() throws IOException {
    Files.copy(Golden.file("yaml/connector/parts.json"), folder.resolve("parts.json"));
    for (Path file : Golden.files("yaml/connector", ".yaml")) {
      assertThatEachKeyIsKnown(file, connector -> Ran.of("check", connector.toString()));
    }
  }

  @Test
  void every_key_of_a_collection_is_known_and_no_other_is() throws IOException {
    Files.copy(Golden.file("collection/items.yaml"), folder.resolve("connector.yaml"));
    PrintStream out = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream())); // where Singer messages go
    try {
      for (Path file : Golden.files("yaml/collection", ".yaml")) {
        assertThatEachKeyIsKnown(file, collection -> Ran.of("collect", collection.toString()));
      }
    } finally {
      System.setOut(out);
    }
  }

  private void assertThatEachKeyIsKnown(Path golden, Function<Path, Ran> read) throws IOException {
    List<String> lines = Files.readAllLines(golden);
    Ran good = read.apply(write(golden, lines));
    assertThat(complaints(golden, good))
        .as("lines of %s that are complained about: %s", golden, good.err())
        .allMatch(line -> ELSEWHERE.matcher(lines.get(line - 1)).matches());
    boolean everythingIsHere = lines.stream().noneMatch(line -> ELSEWHERE.matcher(line).matches());
    assertThat(good.code() == 0)
        .as("%s is read: %s", golden, good.err())
        .isEqualTo(everythingIsHere);
    Map<Integer, List<Integer>> keys = keys(lines);
    assertThat(keys).isNotEmpty();
    List<String> accepted = new ArrayList<>();
    for (List<Integer> level : keys.values()) {
      List<String> changed = new ArrayList<>(lines);
      level.forEach(index -> changed.set(index, misspelt(lines.get(index))));
      Ran ran = read.apply(write(golden, changed));
      assertThat(ran.code()).as("%s: %s", golden, ran).isEqualTo(3);
      for (int index : level) {
        String place = "%s:%d: ".formatted(name(golden), index + 1);
        if (ran.err().lines().noneMatch(line -> line.contains(place) && line.contains(MISSPELT))) {
          accepted.add("%s:%d: %s".formatted(golden, index + 1, lines.get(index).strip()));
        }
      }
    }
    assertThat(accepted).as("keys that are not refused with their line").isEmpty();
  }

  /**
   * The lines with keys, by how far they are indented: those on one level can be misspelt together,
   * because all mistakes of a file are told at once, but within a key that is not known nothing is.
   */
  private static Map<Integer, List<Integer>> keys(List<String> lines) {
    Map<Integer, List<Integer>> keys = new TreeMap<>();
    for (int i = 0; i < lines.size(); i++) {
      Matcher key = KEY.matcher(lines.get(i));
      if (key.matches() && !OWN.matcher(lines.get(i)).matches()) {
        keys.computeIfAbsent(key.group(1).length(), unused -> new ArrayList<>()).add(i);
      }
    }
    return keys;
  }

  private static String misspelt(String line) {
    return KEY.matcher(line).replaceFirst("$1$2" + MISSPELT + "$3");
  }

  /** The lines that messages name. */
  private static List<Integer> complaints(Path golden, Ran ran) {
    return Pattern.compile(Pattern.quote(name(golden)) + ":(\\d+): ")
        .matcher(ran.err())
        .results()
        .map(found -> Integer.valueOf(found.group(1)))
        .toList();
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  /** The file with what is known only here. */
  private Path write(Path golden, List<String> lines) {
    String text =
        String.join("\n", lines)
            .replace("ADDRESS", stage.address().toString())
            .replace("TENANT", stage.tenant())
            .replace("CLIENT", stage.clientId())
            .replace("PORT", String.valueOf(shop.port()));
    try {
      return Files.writeString(folder.resolve(name(golden)), text + "\n");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}

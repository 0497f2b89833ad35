package dev.sluice.cli.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every name that goes into events, metrics, states, files and answers is still there. Which type
 * has it does not matter: types may be moved, renamed and joined; the names of one stay together.
 */
class WireNamesTest {
  private static final String METHOD = "wireName";

  private static final Map<Class<?>, Object> SAMPLES =
      Map.ofEntries(
          Map.entry(String.class, "text"),
          Map.entry(boolean.class, false),
          Map.entry(int.class, 1),
          Map.entry(long.class, 1L),
          Map.entry(double.class, 1.0),
          Map.entry(Duration.class, Duration.ofSeconds(1)),
          Map.entry(Instant.class, Instant.EPOCH),
          Map.entry(Optional.class, Optional.empty()),
          Map.entry(OptionalInt.class, OptionalInt.empty()),
          Map.entry(OptionalLong.class, OptionalLong.empty()),
          Map.entry(OptionalDouble.class, OptionalDouble.empty()),
          Map.entry(List.class, List.of()),
          Map.entry(Set.class, Set.of()),
          Map.entry(Map.class, Map.of()));

  @Test
  void every_wire_name_is_there_among_those_that_it_was_among() throws Exception {
    Map<Class<?>, Set<String>> found = new LinkedHashMap<>();
    for (Class<?> type : types()) {
      Set<String> names = names(type);
      if (!names.isEmpty()) {
        found.put(type, names);
      }
    }
    // What is a part of another one has its names there.
    found
        .keySet()
        .removeIf(
            type ->
                Arrays.stream(type.getInterfaces())
                    .anyMatch(whole -> whole.isSealed() && has(whole)));
    String text =
        found.entrySet().stream()
            .map(each -> word(each.getKey()) + ": " + String.join(" ", each.getValue()))
            .sorted()
            .distinct()
            .collect(Collectors.joining("\n", "", "\n"));
    Golden.record("wire-names.txt", text);
    Map<String, Set<String>> wanted = new LinkedHashMap<>();
    for (String line : Files.readAllLines(Golden.file("wire-names.txt"))) {
      List<String> names = List.of(line.substring(line.indexOf(": ") + 2).split(" ", -1));
      Set<String> unused = wanted.put(line, new TreeSet<>(names));
    }
    List<String> missing = new ArrayList<>();
    wanted.forEach(
        (line, names) -> {
          boolean same = found.containsValue(names);
          boolean joined =
              found.values().stream()
                  .filter(all -> !wanted.containsValue(all)) // which are those of another line
                  .anyMatch(all -> all.containsAll(names));
          if (!same && !joined) {
            missing.add(line);
          }
        });
    assertThat(missing).as("groups of wire names that no type has; there are %s", found).isEmpty();
  }

  /** What a type is called, for whoever reads the file. */
  private static String word(Class<?> type) {
    return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
  }

  /** The names of an enum's constants, or of all that are permitted by a sealed type. */
  private static Set<String> names(Class<?> type) throws ReflectiveOperationException {
    Set<String> names = new TreeSet<>();
    if (type.isEnum() && has(type)) {
      for (Object constant : type.getEnumConstants()) {
        names.add(name(constant));
      }
    } else if (type.isSealed() && has(type)) {
      for (Class<?> permitted : type.getPermittedSubclasses()) {
        if (permitted.isRecord()) {
          names.add(name(sample(permitted)));
        } else {
          names.addAll(names(permitted));
        }
      }
    }
    return names;
  }

  private static boolean has(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .anyMatch(method -> method.getName().equals(METHOD) && method.getParameterCount() == 0);
  }

  private static String name(Object named) throws ReflectiveOperationException {
    Method method = named.getClass().getMethod(METHOD);
    method.setAccessible(true);
    return (String) method.invoke(named);
  }

  /** Some value of a type: names do not depend on which. */
  private static Object sample(Class<?> type) throws ReflectiveOperationException {
    if (type.isRecord()) {
      RecordComponent[] components = type.getRecordComponents();
      Class<?>[] types = new Class<?>[components.length];
      Object[] values = new Object[components.length];
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        values[i] = sample(types[i]);
      }
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type.isSealed()) {
      return sample(type.getPermittedSubclasses()[0]);
    }
    Object value = SAMPLES.get(type);
    if (value == null) {
      throw new IllegalStateException("no sample of " + type);
    }
    return value;
  }

  /** All types that may have such names. Those of the arena are seen nowhere else. */
  private static List<Class<?>> types() throws IOException, ClassNotFoundException {
    List<Class<?>> types = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      if (Files.isDirectory(path) && !path.endsWith("test-classes")) {
        add(path, types);
      } else if (path.getFileName().toString().matches("sluice-.*(?<!-tests)\\.jar")) {
        try (FileSystem jar = FileSystems.newFileSystem(path)) {
          add(jar.getPath("/"), types);
        }
      }
    }
    assertThat(types).isNotEmpty();
    return types;
  }

  private static void add(Path root, List<Class<?>> types)
      throws IOException, ClassNotFoundException {
    Path sluice = root.resolve("dev").resolve("sluice");
    if (!Files.isDirectory(sluice)) {
      return;
    }
    try (Stream<Path> files = Files.walk(sluice)) {
      for (Path file : files.toList()) {
        String name = root.relativize(file).toString().replace(File.separatorChar, '.');
        if (name.endsWith(".class")
            && !name.matches("dev\\.sluice\\.arena\\..*|.*(package-info|module-info)\\.class")) {
          Class<?> type =
              Class.forName(
                  name.substring(0, name.length() - ".class".length()),
                  false,
                  WireNamesTest.class.getClassLoader());
          if (type.isEnum() || (type.isSealed() && Modifier.isInterface(type.getModifiers()))) {
            types.add(type);
          }
        }
      }
    }
  }
}

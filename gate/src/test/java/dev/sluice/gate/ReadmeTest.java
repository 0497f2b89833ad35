package dev.sluice.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README and the guide show compiles against what is built. */
class ReadmeTest {
  private static final Pattern CODE =
      Pattern.compile("<!-- code: ReadmeExample -->\\s*```java\\n(.*?)```", Pattern.DOTALL);

  private static final Pattern BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

  @TempDir Path classes;

  @Test
  void the_code_in_the_readme_compiles_and_is_about_a_dozen_lines() throws IOException {
    Matcher code = CODE.matcher(Files.readString(Path.of("..", "README.md")));
    assertThat(code.find()).as("the README has its example").isTrue();
    String example = code.group(1);
    assertThat(example.lines().filter(line -> !line.isBlank()).count()).isBetween(5L, 14L);
    assertThat(compile(example)).isEmpty();
  }

  @Test
  void the_code_in_the_guide_compiles() throws IOException {
    assertThat(compiledBlocks("gate.md")).isEqualTo(8);
  }

  @Test
  void the_code_about_signals_compiles() throws IOException {
    assertThat(compiledBlocks("signals.md")).isEqualTo(3);
  }

  private int compiledBlocks(String document) throws IOException {
    Matcher code = BLOCK.matcher(Files.readString(Path.of("..", "docs", document)));
    int blocks = 0;
    while (code.find()) {
      assertThat(compile(code.group(1))).as(code.group(1)).isEmpty();
      blocks++;
    }
    return blocks;
  }

  /** A block that begins with its imports is a whole file; any other, the inside of a method. */
  private String compile(String example) {
    return example.startsWith("import ")
        ? compile("Bills", example)
        : compile("ReadmeExample", within(example));
  }

  /** The fields are what a reader takes for granted; a block may have a variable of that name. */
  private static String within(String example) {
    return """
        import dev.sluice.control.budget.*;
        import dev.sluice.control.circuit.*;
        import dev.sluice.control.lane.*;
        import dev.sluice.control.pacing.*;
        import dev.sluice.control.retry.*;
        import dev.sluice.control.routing.*;
        import dev.sluice.control.signal.*;
        import dev.sluice.gate.*;
        import dev.sluice.gate.http.*;
        import dev.sluice.gate.time.*;
        import java.net.URI;
        import java.net.http.*;
        import java.net.http.HttpResponse.BodyHandlers;
        import java.time.Duration;
        import java.util.*;
        import java.util.concurrent.CompletableFuture;
        class ReadmeExample {
          Gate gate;
          Run run;
          Permit permit;
          HttpClient http;
          HttpRequest request;
          HttpResponse<String> response;
          Exception exception;
          void example() throws Exception {
        %s
          }
        }
        """
        .formatted(example);
  }

  private String compile(String name, String source) {
    JavaFileObject file =
        new SimpleJavaFileObject(
            URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    StringWriter messages = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    boolean compiled =
        compiler
            .getTask(
                messages,
                null,
                null,
                List.of(
                    "-proc:none",
                    "-d",
                    classes.toString(),
                    "-cp",
                    System.getProperty("java.class.path")),
                null,
                List.of(file))
            .call();
    return compiled ? "" : messages.toString();
  }
}

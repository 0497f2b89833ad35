package dev.sluice.gate.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellWordTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"two words", "it's", "$HOME", "~root", "a*", "#1", "a;b", "!x", "\\", "", "a\"b"})
  void a_shell_takes_it_for_one_argument_and_changes_nothing(String argument) throws IOException {
    Process shell =
        new ProcessBuilder("/bin/sh", "-c", "printf '[%s]' " + ShellWord.quoted(argument)).start();
    assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("[" + argument + "]");
  }

  @Test
  void what_needs_no_quotes_has_none() {
    assertThat(ShellWord.quoted("data/accounts-1.csv")).isEqualTo("data/accounts-1.csv");
  }
}

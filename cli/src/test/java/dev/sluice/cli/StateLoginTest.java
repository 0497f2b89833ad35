package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.runs.store.Login;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateLoginTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  private Path folder;

  @Test
  void the_password_is_a_variable_or_the_text_of_a_file() throws IOException {
    Path file = Files.writeString(folder.resolve("password"), "from a file\n");
    assertThat(StateLogin.from(Map.of(StateLogin.USER, "me", StateLogin.PASSWORD, "x y")))
        .isEqualTo(new Login("me", "x y"));
    assertThat(StateLogin.from(Map.of(StateLogin.PASSWORD_FILE, file.toString())))
        .isEqualTo(new Login("", "from a file"));
    assertThat(StateLogin.from(Map.of())).isEqualTo(Login.NONE);
  }

  @Test
  void a_password_that_is_not_there_or_there_twice_is_refused_without_being_told() {
    Path none = folder.resolve("none");
    assertThatThrownBy(() -> StateLogin.from(Map.of(StateLogin.PASSWORD_FILE, none.toString())))
        .hasMessageContaining("SLUICE_STATE_PASSWORD_FILE names " + none);
    assertThatThrownBy(
            () ->
                StateLogin.from(
                    Map.of(StateLogin.PASSWORD, "hush", StateLogin.PASSWORD_FILE, "file")))
        .hasMessageContaining("are both set")
        .hasMessageNotContaining("hush");
  }
}

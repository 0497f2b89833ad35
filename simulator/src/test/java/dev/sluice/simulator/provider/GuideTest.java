package dev.sluice.simulator.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The guide lists what there is. */
class GuideTest {
  private static final Path GUIDE = Path.of("..", "docs", "simulator.md");

  @ParameterizedTest
  @EnumSource
  void every_misbehaviour_stands_in_the_guide(Misbehaviour misbehaviour) throws IOException {
    assertThat(Files.readAllLines(GUIDE))
        .contains("| `%s` | %s |".formatted(misbehaviour.key(), misbehaviour.meaning()));
  }

  @ParameterizedTest
  @EnumSource
  void every_signal_stands_in_the_guide(Signal signal) throws IOException {
    String key = signal.name().toLowerCase(Locale.ROOT).replace('_', '-');
    assertThat(Files.readString(GUIDE)).contains("`" + key + "`");
  }
}

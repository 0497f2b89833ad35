package dev.sluice.cli.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A configuration to start from: every option with its meaning and its default. */
public final class Template {
  private Template() {}

  /** The text of a {@value Configuration#FILE} in which two or three lines are to be changed. */
  public static String text() throws IOException {
    try (InputStream in = Template.class.getResourceAsStream(Configuration.FILE)) {
      if (in == null) {
        throw new IllegalStateException("this build lacks " + Configuration.FILE);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}

package dev.sluice.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: the version of this build, and the JDK on which it runs. */
final class BuildVersion implements IVersionProvider {

  @Override
  public String[] getVersion() throws IOException {
    return new String[] {
      "sluice " + ofThisBuild(),
      "JDK %s (%s)".formatted(Runtime.version(), System.getProperty("java.vendor"))
    };
  }

  /** The version in the project's own pom, which the build writes into a resource. */
  private static String ofThisBuild() throws IOException {
    Properties build = new Properties();
    try (InputStream resource = BuildVersion.class.getResourceAsStream("version.properties")) {
      build.load(resource);
    }
    return build.getProperty("version");
  }
}

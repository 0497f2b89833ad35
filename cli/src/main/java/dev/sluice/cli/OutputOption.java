package dev.sluice.cli;

import picocli.CommandLine.Option;

/** The option {@code --output}, for commands whose answer programs may want as well. */
final class OutputOption {

  @Option(
      names = "--output",
      paramLabel = "FORM",
      defaultValue = "text",
      description = "text, or json: one object on standard output (default: text).")
  @SuppressWarnings("NullAway.Init") // has a default
  private Output form;

  /** Whether the answer is for programs. */
  boolean json() {
    return form == Output.json;
  }
}

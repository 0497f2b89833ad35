package dev.sluice.collect.yaml.document;

/** A text that cannot be read as one document of YAML. The message quotes none of it. */
public final class MalformedYamlException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int line;
  private final String problem;

  MalformedYamlException(int line, String problem) {
    super(problem);
    this.line = line;
    this.problem = problem;
  }

  /** Where, from 1. */
  public int line() {
    return line;
  }

  /** What is wrong there. */
  public String problem() {
    return problem;
  }
}

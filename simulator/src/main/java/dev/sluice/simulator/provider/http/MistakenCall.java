package dev.sluice.simulator.provider.http;

/** A call that cannot be answered as it is; the caller is told why. */
final class MistakenCall extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String code;
  private final String why;

  MistakenCall(int status, String code, String message) {
    super(message, null, false, false);
    this.status = status;
    this.code = code;
    this.why = message;
  }

  int status() {
    return status;
  }

  /** What is wrong, in words. */
  String why() {
    return why;
  }

  String code() {
    return code;
  }
}

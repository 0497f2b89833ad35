package dev.sluice.collect.run;

/** A stream had no success through so many openings of the circuit that it is left for later. */
final class StreamFailsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean alone;

  /**
   * Says which stream.
   *
   * @param alone whether others were served meanwhile
   */
  StreamFailsException(String stream, long openings, boolean alone) {
    super(
        "stream %s had no success while the circuit opened %d times".formatted(stream, openings),
        null,
        false,
        false);
    this.alone = alone;
  }

  /** Whether others were served meanwhile: they can go on. */
  boolean isAlone() {
    return alone;
  }
}

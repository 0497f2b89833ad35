package dev.sluice.collect.yaml.paging;

/** Records came or went between two pages that are told apart by their position. */
public final class PagesShiftedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Says how it was noticed. */
  public PagesShiftedException(String message) {
    super(message);
  }
}

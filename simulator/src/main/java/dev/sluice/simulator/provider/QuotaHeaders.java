package dev.sluice.simulator.provider;

/** In which headers answers tell what is left. */
public enum QuotaHeaders {
  /** None, unless a misbehaviour is about them. */
  NONE,
  /** {@code RateLimit-Limit}, {@code -Remaining} and {@code -Reset}, in seconds from now. */
  TRIPLE,
  /** {@code RateLimit-Policy} and {@code RateLimit}, as the IETF's draft has them since -08. */
  LIST
}

package dev.sluice.simulator.http;

/** A simulated service. Thread-safe: requests come at the same time. */
@FunctionalInterface
public interface Service {

  /**
   * Answers a request, taking the time that the service takes. Bad input is answered, as the real
   * service would answer it, and never thrown.
   */
  Reply answer(Request request) throws InterruptedException;
}

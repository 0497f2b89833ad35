package dev.sluice.dataverse.service;

import dev.sluice.control.signal.Signal;
import dev.sluice.gate.wire.WebAnswer;
import org.jspecify.annotations.Nullable;

/** Where the lanes of a gate lead. Thread-safe. */
public interface Routes {
  /** Every lane is an identity of that name, at whichever web server takes the request. */
  Routes PLAIN =
      new Routes() {
        @Override
        public Route of(String lane) {
          return new Route(lane, null);
        }

        @Override
        public void answered(Route route, WebAnswer answer, Signal signal, long took) {}
      };

  /**
   * The way of one lane.
   *
   * @param identity who sends
   * @param cookie asks for one web server; null for any
   */
  record Route(String identity, @Nullable String cookie) {}

  /** Where this lane leads now. */
  Route of(String lane);

  /**
   * What was sent on this route got this answer, which may say which server gave it.
   *
   * @param signal what it means
   * @param took nanoseconds from the request to the whole answer
   */
  void answered(Route route, WebAnswer answer, Signal signal, long took);
}

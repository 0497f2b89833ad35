package dev.sluice.control.parallelism;

import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A policy on given time, with the requests that are in flight. */
final class PolicyRig {
  final AimdPolicy policy;
  final Deque<Request> inFlight = new ArrayDeque<>();
  long now = Duration.ofMinutes(-3).toNanos();

  PolicyRig(AdaptiveRateOptions options) {
    this(options, 52);
  }

  PolicyRig(AdaptiveRateOptions options, int max) {
    policy = new AimdPolicy(options, max, now);
  }

  void pass(Duration duration) {
    now += duration.toNanos();
  }

  void passSeconds(long seconds) {
    pass(Duration.ofSeconds(seconds));
  }

  int level() {
    return policy.level(now);
  }

  Request start() {
    Request request = new Request(now);
    policy.started(request, now);
    inFlight.add(request);
    return request;
  }

  List<Request> start(int count) {
    List<Request> started = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      started.add(start());
    }
    return started;
  }

  /** Starts requests until that many are in flight. */
  void useAtLeast(int count) {
    while (inFlight.size() < count) {
      start();
    }
  }

  void settle(Request request, Signal signal) {
    inFlight.remove(request);
    policy.settled(request, signal, now);
  }

  /** Settles the request that was sent last. */
  void settleOne(Signal signal) {
    settle(inFlight.getLast(), signal);
  }

  /** Sends that many at once and settles all of them five seconds later. */
  void roundTrip(int count, Signal signal) {
    List<Request> sent = start(count);
    passSeconds(5);
    for (Request each : sent) {
      settle(each, signal);
    }
  }

  AdaptiveRateStatistics statistics() {
    return policy.statistics("app1", now, Instant.EPOCH);
  }
}

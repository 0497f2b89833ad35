package dev.sluice.arena;

import dev.sluice.arena.bout.Contender;
import dev.sluice.arena.bout.Score;
import dev.sluice.arena.bout.Sending;
import dev.sluice.arena.bout.Watch;
import dev.sluice.arena.bout.World;
import java.util.ArrayList;
import java.util.List;

/** Watches a bout and writes down what there is to draw. */
final class Sampler implements Watch {
  private static final int SLICES = 180;
  private static final double SECOND = 1e9;

  private final long slice;
  private final List<Trace.Slice> slices = new ArrayList<>();
  private long inFlight;
  private double inFlightTime;
  private long sent;
  private long refused;

  /** Watches a bout that lasts so many nanoseconds. */
  Sampler(long duration) {
    slice = Math.max(1, duration / SLICES);
  }

  @Override
  public void passing(long from, long until, Contender contender, World world) {
    long start = from;
    while (slices.size() < SLICES && until >= (slices.size() + 1) * slice) {
      long end = (slices.size() + 1) * slice;
      inFlightTime += (double) inFlight * (end - start);
      // Nothing happens before `until`, so asking about the end of the slice is not asking ahead.
      slices.add(
          new Trace.Slice(
              inFlightTime / slice,
              contender.level(end),
              sent / (slice / SECOND),
              contender.rate(end),
              refused,
              world.used(end)));
      inFlightTime = 0;
      sent = 0;
      refused = 0;
      start = end;
    }
    inFlightTime += (double) inFlight * (until - start);
  }

  @Override
  public void sent(Sending sending, long now) {
    inFlight++;
    sent++;
  }

  @Override
  public void answered(Sending sending, long now) {
    inFlight--;
    refused += sending.isRefused() ? 1 : 0;
  }

  Trace trace(Venue venue, String entrant, Score score) {
    return new Trace(venue, entrant, score, slice / SECOND, slices);
  }
}

package dev.sluice.runs.run;

import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A run as the store knows it. Immutable.
 *
 * @param id its number; later runs have higher ones
 * @param origin the run that began the work which this one continues; itself if it began it
 * @param kind what sort of work ({@code load})
 * @param name what is worked on, as its user calls it
 * @param options what it was asked to do, in the words of its kind
 * @param nonce chosen by chance when the work was begun, the same in all runs that continue it
 * @param begun when the work was begun: the start of its origin
 * @param started when this run started
 * @param ended when it ended; empty if it has not, or was killed
 * @param outcome how it ended
 * @param running whether its process was at it at the time of the question, as far as its lease
 *     tells; neither running nor ended means that it was killed
 * @param lane which lane it uses, if that is a single one
 * @param counts what it counted, by name
 */
public record RunRecord(
    long id,
    long origin,
    String kind,
    String name,
    String options,
    long nonce,
    Instant begun,
    Instant started,
    Optional<Instant> ended,
    Optional<Outcome> outcome,
    boolean running,
    Optional<String> lane,
    SortedMap<String, Long> counts) {
  /** The count of retries that a run had left when it ended. */
  public static final String RETRIES_LEFT = "retries_left";

  /** Whether its work may be taken up where it stopped: it was killed, or ended like that. */
  public boolean resumable() {
    return !running && outcome.map(Outcome::resumable).orElse(true);
  }
}

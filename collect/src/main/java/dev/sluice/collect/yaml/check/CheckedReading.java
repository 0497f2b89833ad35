package dev.sluice.collect.yaml.check;

import dev.sluice.collect.connector.CollectedRecord;
import dev.sluice.collect.connector.DetailKeys;
import dev.sluice.collect.connector.DetailStream;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.connector.ReadAgainException;
import dev.sluice.collect.connector.Requests;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.SliceRead;
import dev.sluice.collect.connector.SliceStart;
import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a stream as a run does, slice after slice, the details of each slice before the next one.
 * Used once, by one task.
 */
public final class CheckedReading {
  private final ListStream stream;
  private final List<DetailStream> details;
  private final CheckRule check;
  private final Requests requests;
  private final Time time;
  private Optional<String> cursor;
  private int records;
  private DetailKeys keys = new DetailKeys();
  private int detailRecords;
  private int gaps;
  private int gone;
  private String firstGap = "";

  /** Has read nothing yet. */
  public CheckedReading(ListStream stream, CheckRule check, Requests requests, Time time) {
    this.stream = stream;
    this.details =
        stream.details().stream()
            .filter(detail -> check.details().contains(detail.shape().name()))
            .toList();
    this.check = check;
    this.requests = requests;
    this.time = time;
    this.cursor = check.cursor();
  }

  /**
   * Reads to the end.
   *
   * @throws ProviderException if the provider's answer ends it
   * @throws IOException if the script and the stream do not go together
   */
  public void read() throws ProviderException, IOException, InterruptedException {
    String split = stream.splits().getFirst();
    Optional<String> horizon = stream.horizon(time.instant());
    boolean more = true;
    while (more) {
      Draft slice = new Draft();
      keys = new DetailKeys();
      SliceStart start = new SliceStart(split, check.mode(), cursor, horizon, time.instant(), 0);
      SliceEnd end = SliceRead.of(stream, start, requests, slice).end();
      records += slice.taken.size();
      for (CollectedRecord parent : slice.taken) {
        readDetails(split, parent);
      }
      cursor = end.cursor();
      more = end.more();
    }
  }

  private void readDetails(String split, CollectedRecord parent)
      throws ProviderException, IOException, InterruptedException {
    for (DetailStream detail : details) {
      if (!detail.wants(parent)) {
        continue;
      }
      List<CollectedRecord> found = List.of();
      try {
        found = details(detail, split, parent);
      } catch (ProviderException refused) {
        if (refused.reason().endsRun()) {
          throw refused;
        }
        if (detail.isGone(refused.status())) {
          gone++;
        } else {
          gaps++;
          if (firstGap.isEmpty()) {
            firstGap = "%s: %s".formatted(detail.shape().name(), refused.getMessage());
          }
        }
      }
      keys.take(detail.shape(), detail.remembered(parent), found);
      detailRecords += found.size();
    }
  }

  private List<CollectedRecord> details(DetailStream detail, String split, CollectedRecord parent)
      throws ProviderException, IOException, InterruptedException {
    List<CollectedRecord> found = new ArrayList<>();
    ReadAgainException.untilItCounts(
        () -> {
          found.clear();
          detail.read(split, detail.remembered(parent), requests, found::add);
        });
    return found;
  }

  /** Where the next run would begin. */
  public Optional<String> cursor() {
    return cursor;
  }

  /** How many records the list had. */
  public int records() {
    return records;
  }

  /** How many records the details had. */
  public int details() {
    return detailRecords;
  }

  /** Of how many records the details are missing for now. */
  public int gaps() {
    return gaps;
  }

  /** Why the first of those are missing; empty if none are. */
  public String firstGap() {
    return firstGap;
  }

  /** Of how many records there are no details, ever. */
  public int gone() {
    return gone;
  }

  /** The records of a slice. */
  private static final class Draft implements SliceRead.Draft {
    private final List<CollectedRecord> taken = new ArrayList<>();

    @Override
    public void accept(CollectedRecord record) {
      taken.add(record);
    }

    @Override
    public void forget() {
      taken.clear();
    }
  }
}

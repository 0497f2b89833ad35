package dev.sluice.collect.run;

import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.DetailStream;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.connector.SliceEnd;
import dev.sluice.collect.connector.StreamShape;
import dev.sluice.runs.bookmark.Bookmarks;
import dev.sluice.runs.gap.DetailGap;
import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.gap.LeasedGaps;
import dev.sluice.runs.gap.Miss;
import dev.sluice.runs.run.Reason;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gets what earlier runs had missed: page after page of gaps, until a page is empty or the run must
 * stop. Pages are how gaps are carried, not how many are recovered.
 */
final class Recovery {
  /** How many gaps are drained: as many as there are. */
  static final int ALL = Integer.MAX_VALUE;

  /** Gaps that share one commit: few enough to be done long before their leases expire. */
  private static final int TOGETHER = 25;

  private static final Duration RENEWED_EVERY = LeasedGaps.LEASE.dividedBy(3);
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final SliceEnd NOWHERE = new SliceEnd(Optional.empty(), false);

  private final RunContext context;
  private final HeldTrack held;
  private final Map<String, DetailStream> streams = new HashMap<>();
  private final AtomicLong leasedAt = new AtomicLong();

  Recovery(RunContext context, Connector connector, HeldTrack held) {
    this.context = context;
    this.held = held;
    for (ListStream list : connector.streams()) {
      for (DetailStream detail : list.details()) {
        streams.put(detail.shape().name(), detail);
      }
    }
  }

  /**
   * Drains what may be tried in this run.
   *
   * @param most how many, roughly
   * @return why it stopped before; null if nothing is left to try, or as many were tried
   */
  @Nullable Stop drain(int most) {
    context.progress().begin("gaps");
    try {
      List<StreamShape> shapes = streams.values().stream().map(DetailStream::shape).toList();
      try (TrackWriter writer = held.open(shapes, held.bookmark())) {
        if (writer.unacknowledged().isPresent()) {
          // Durable in the sink before the last process died: only the store does not know.
          commit(GapEnding.read(writer.noted()), "", writer);
        }
        Stop stop = null;
        List<DetailGap> page = nextPage();
        int left = most;
        while (stop == null && !page.isEmpty() && left > 0) {
          List<DetailGap> some = page.subList(0, Math.min(left, page.size()));
          stop = recover(some, writer, false);
          left -= some.size();
          page = stop == null && left > 0 ? nextPage() : List.of();
        }
        if (left <= 0) {
          giveBack();
        }
        return stop == null && most == ALL ? lookAgain(writer) : stop;
      }
    } catch (IOException | RuntimeException e) {
      return Stop.of(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Stop.of(e);
    }
  }

  /**
   * What failed in this run for the first time has one more attempt at the end: some fail twice by
   * chance. Failing again counts no more than it did.
   */
  private @Nullable Stop lookAgain(TrackWriter writer) throws IOException, InterruptedException {
    List<DetailGap> gaps =
        context
            .store()
            .read(
                transaction ->
                    context.progress().missed().stream()
                        .flatMap(each -> DetailGaps.find(transaction, each).stream())
                        .filter(gap -> gap.state() == DetailGap.State.PENDING)
                        .filter(gap -> gap.tries() <= 1)
                        .toList());
    return recover(gaps, writer, true);
  }

  private List<DetailGap> nextPage() {
    leasedAt.set(context.time().nanos());
    return held.write(
        transaction ->
            LeasedGaps.page(
                transaction,
                held.track().collection(),
                context.record().id(),
                context.record().started(),
                LeasedGaps.PAGE_BYTES));
  }

  private void giveBack() {
    held.write(
        transaction -> {
          LeasedGaps.release(transaction, held.track().collection(), context.record().id());
          return null;
        });
  }

  private @Nullable Stop recover(List<DetailGap> page, TrackWriter writer, boolean again)
      throws IOException, InterruptedException {
    Stop stop = null;
    for (int from = 0; from < page.size() && stop == null; from += TOGETHER) {
      List<DetailGap> some = page.subList(from, Math.min(from + TOGETHER, page.size()));
      try {
        stop = recoverSome(some, writer, again);
      } catch (IOException | RuntimeException | InterruptedException e) {
        writer.giveUp();
        throw e;
      }
    }
    return stop;
  }

  private @Nullable Stop recoverSome(List<DetailGap> gaps, TrackWriter writer, boolean again)
      throws IOException, InterruptedException {
    DetailReader reader = new DetailReader(context, writer);
    SideBySide<DetailGap> all =
        new SideBySide<>(context, gaps, (gap, asker) -> fetch(gap, asker, reader, again));
    List<Fetched> fetched = all.fetch();
    List<GapEnding> endings = new ArrayList<>();
    for (int i = 0; i < gaps.size(); i++) {
      if (!again || fetched.get(i) instanceof Fetched.Had) {
        endings.add(GapEnding.of(gaps.get(i), fetched.get(i)));
      }
    }
    commit(endings, GapEnding.text(endings), writer);
    context.progress().recovered(reader.parents());
    return all.stop();
  }

  /** The gaps of a page are this run's for a while only, and a provider may let it wait longer. */
  private void renewIfDue() {
    long now = context.time().nanos();
    long before = leasedAt.get();
    if (now - before < RENEWED_EVERY.toNanos() || !leasedAt.compareAndSet(before, now)) {
      return;
    }
    held.write(
        transaction -> {
          LeasedGaps.renew(transaction, held.track().collection(), context.record().id());
          return null;
        });
  }

  private Fetched fetch(DetailGap gap, Asker asker, DetailReader reader, boolean again)
      throws IOException, InterruptedException {
    renewIfDue();
    DetailStream stream = streams.get(gap.stream());
    ObjectNode parent = parent(gap);
    if (stream == null || parent == null) {
      // The connector has changed since: no answer of the provider would help. A failure, so that
      // it is not served for ever.
      return new Fetched.Missed(
          new Miss.Refused(Reason.Failure.INVALID, Optional.empty()), Optional.empty());
    }
    return reader.fetch(stream, gap.split(), parent, asker, again || gap.failures() > 0);
  }

  private static @Nullable ObjectNode parent(DetailGap gap) {
    try {
      return JSON.readTree(gap.parent()) instanceof ObjectNode object ? object : null;
    } catch (JacksonException e) {
      return null;
    }
  }

  private void commit(List<GapEnding> endings, String facts, TrackWriter writer)
      throws IOException, InterruptedException {
    String mark = writer.prepare(NOWHERE, facts);
    held.write(
        transaction -> {
          writer.commit(transaction);
          Bookmarks.move(transaction, held.track(), null, mark);
          context.saveNowAndThen(transaction);
          endings.forEach(each -> each.commit(transaction, context));
          return null;
        });
    writer.acknowledge();
  }
}

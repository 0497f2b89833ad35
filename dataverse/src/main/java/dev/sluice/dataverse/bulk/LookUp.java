package dev.sluice.dataverse.bulk;

import dev.sluice.dataverse.message.Item;
import dev.sluice.gate.Call;
import dev.sluice.gate.Call.Reply;
import dev.sluice.gate.CallOptions;
import dev.sluice.gate.Permit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Asks whether a composition is in, of which nobody knows what came; only where its items are all
 * in or none. A key of the input's own may be that of an older row, or of an earlier record of the
 * input: then the last item is asked for, too, and when both were made.
 */
final class LookUp {
  /** So much the service's clock may be behind ours; it writes whole seconds, too. */
  private static final Duration CLOCKS_APART = Duration.ofMinutes(1);

  /** What a look at the table has shown. */
  enum Sight {
    THERE,
    NOT_THERE,
    UNSEEN
  }

  private final BulkRun run;
  private final Composition composition;
  private final Carrier carrier;

  LookUp(BulkRun run, Composition composition, Carrier carrier) {
    this.run = run;
    this.composition = composition;
    this.carrier = carrier;
  }

  Sight look(CallOptions reading) throws IOException, InterruptedException {
    Item first = composition.first();
    if (composition.hasOurKeys()) {
      return ask(reading, lane -> run.messenger().exists(lane, run.table(), first.key()));
    }
    Sight sight = isNew(reading, first);
    return sight != Sight.THERE || composition.size() == 1
        ? sight
        : isNew(reading, composition.items().getLast());
  }

  private Sight isNew(CallOptions reading, Item item) throws IOException, InterruptedException {
    Instant since = run.since().minus(CLOCKS_APART);
    return ask(reading, lane -> run.messenger().madeAfter(lane, run.table(), item.key(), since));
  }

  private interface Question {
    Reply<@Nullable Boolean> ask(String lane) throws IOException, InterruptedException;
  }

  private Sight ask(CallOptions reading, Question question)
      throws IOException, InterruptedException {
    return run.gate()
        .call(
            run.job().run(),
            reading,
            new Call<Sight, IOException>() {
              @Override
              public Reply<Sight> send(Permit permit) throws IOException, InterruptedException {
                return carrier.sendWhileRunning(permit, () -> seen(question.ask(permit.lane())));
              }

              // The service has forgotten the token that was refused.
              @Override
              public boolean renew() {
                return true;
              }
            });
  }

  private static Reply<Sight> seen(Reply<@Nullable Boolean> reply) {
    Boolean there = reply.value();
    Sight sight = there == null ? Sight.UNSEEN : there ? Sight.THERE : Sight.NOT_THERE;
    return new Reply<>(sight, reply.signal());
  }
}

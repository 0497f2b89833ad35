package dev.sluice.simulator.dataverse.webapi;

import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.odata.BatchReader;
import dev.sluice.simulator.dataverse.odata.BatchWriter;
import dev.sluice.simulator.dataverse.store.Row;
import dev.sluice.simulator.dataverse.store.Transaction;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Plans batches: requests one after the other, some of them in change sets. */
final class Batches {
  private final Runner runner;
  private final Function<Call, Plan> planner;
  private final Supplier<UUID> ids;

  /** Plans parts with {@code planner}; divides answers by {@code ids}. */
  Batches(Runner runner, Function<Call, Plan> planner, Supplier<UUID> ids) {
    this.runner = runner;
    this.planner = planner;
    this.ids = ids;
  }

  private record Step(@Nullable String contentId, Call call, Plan plan) {}

  private record Entry(boolean changeSet, List<Step> steps) {}

  Plan plan(Call call) throws WebApiException {
    List<Entry> entries = new ArrayList<>();
    List<Plan> parts = new ArrayList<>();
    for (BatchReader.Entry entry : BatchReader.read(call.request())) {
      List<Step> steps =
          switch (entry) {
            case BatchReader.Single single -> List.of(step(call, single));
            case BatchReader.ChangeSet set ->
                set.requests().stream().map(single -> step(call, single)).toList();
          };
      entries.add(new Entry(entry instanceof BatchReader.ChangeSet, steps));
      steps.forEach(step -> parts.add(step.plan()));
    }
    int rows = parts.stream().mapToInt(Plan::rows).sum();
    return new Plan(Operation.BATCH, null, rows, parts, (Plan.Free) () -> run(call, entries));
  }

  private Step step(Call call, BatchReader.Single single) {
    Call part = call.part(single.request());
    return new Step(single.contentId(), part, planner.apply(part));
  }

  private Response run(Call call, List<Entry> entries) {
    String boundary = "batchresponse_" + ids.get();
    BatchWriter writer = new BatchWriter(boundary);
    int status = 200;
    for (Entry entry : entries) {
      int failed = entry.changeSet() ? changeSet(entry.steps(), writer) : single(entry, writer);
      if (failed != 0 && !call.preferences().continueOnError()) {
        status = failed;
        break;
      }
    }
    Headers headers =
        Headers.of("OData-Version", "4.0", "Content-Type", "multipart/mixed; boundary=" + boundary);
    if (call.preferences().continueOnError()) {
      headers.add("Preference-Applied", "odata.continue-on-error");
    }
    return Response.of(status, headers, writer.finish());
  }

  /** The status with which the request failed; 0 if it did not. */
  private int single(Entry entry, BatchWriter writer) {
    Step step = entry.steps().getFirst();
    Response response;
    try {
      response = runner.run(step.plan());
    } catch (WebApiException e) {
      response = refusal(step, e);
    }
    writer.add(response);
    return response.status() >= 400 ? response.status() : 0;
  }

  /** The status with which the change set failed; 0 if it did not. */
  private int changeSet(List<Step> steps, BatchWriter writer) {
    String boundary = "changesetresponse_" + ids.get();
    writer.startChangeSet(boundary);
    List<Plan.Done> done = new ArrayList<>();
    Response refusal = null;
    String refused = null;
    runner.lock().lock();
    try {
      Transaction transaction = runner.transaction();
      for (Step step : steps) {
        try {
          done.add(one(step, transaction));
        } catch (WebApiException e) {
          // An elastic table has no transactions: there, what was done before stays done.
          transaction.rollBackAtomic();
          refusal = refusal(step, e);
          refused = step.contentId();
          break;
        }
      }
    } finally {
      runner.lock().unlock();
    }
    if (refusal != null) {
      writer.addToChangeSet(boundary, refused, refusal);
    } else {
      for (int i = 0; i < steps.size(); i++) {
        writer.addToChangeSet(boundary, steps.get(i).contentId(), done.get(i).answer());
      }
    }
    writer.endChangeSet(boundary);
    return refusal == null ? 0 : refusal.status();
  }

  private static Plan.Done one(Step step, Transaction transaction) throws WebApiException {
    if (!(step.plan().action() instanceof Plan.Write write)) {
      Response response = ((Plan.Free) step.plan().action()).run(); // mostly a refusal
      return () -> response;
    }
    Plan.Done done = write.run(transaction);
    Row row = done.row();
    if (row != null && step.contentId() != null) {
      transaction.remember(step.contentId(), row);
    }
    return done;
  }

  private Response refusal(Step step, WebApiException e) {
    Response response = Answers.error(e, step.call().preferences().annotations());
    response.headers().add("REQ_ID", ids.get().toString());
    return response;
  }
}

package dev.sluice.simulator.dataverse.webapi;

import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.store.Row;
import dev.sluice.simulator.dataverse.store.Transaction;
import dev.sluice.simulator.http.Response;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request that was understood, or understood to be wrong, and not yet carried out.
 *
 * @param operation what it asks for
 * @param table the logical name of the table it is about; null if none or several
 * @param rows how many rows it carries
 * @param parts what a batch is made of; empty for others
 * @param action how it is carried out
 */
public record Plan(
    Operation operation, @Nullable String table, int rows, List<Plan> parts, Action action) {

  /** How a plan is carried out. */
  public sealed interface Action permits Free, Write {}

  /** Carried out without the store's lock; takes it for moments if it must. */
  @FunctionalInterface
  public non-sealed interface Free extends Action {
    /** Does it. */
    Response run() throws WebApiException;
  }

  /** Changes rows, alone at the store. What it throws undoes all of it, if it is atomic. */
  public non-sealed interface Write extends Action {
    /** Does it, and says how to answer, which needs the store no longer. */
    Done run(Transaction transaction) throws WebApiException;

    /** Whether a failure takes back everything. */
    default boolean atomic() {
      return true;
    }
  }

  /** A change that was made. */
  @FunctionalInterface
  public interface Done {
    /** The answer. */
    Response answer();

    /** The row that it made or changed, where it is one; null otherwise. */
    default @Nullable Row row() {
      return null;
    }
  }

  /** A change of one row that was made. */
  record DoneRow(Row row, java.util.function.Supplier<Response> how) implements Done {
    @Override
    public Response answer() {
      return how.get();
    }
  }

  /** A plan that is only a refusal. */
  static Plan refused(WebApiException why) {
    return free(
        Operation.INVALID,
        null,
        () -> {
          throw why;
        });
  }

  /** A plan that changes nothing. */
  static Plan free(Operation operation, @Nullable String table, Free action) {
    return new Plan(operation, table, 0, List.of(), action);
  }

  /** A plan that changes rows. */
  static Plan write(Operation operation, String table, int rows, Write action) {
    return new Plan(operation, table, rows, List.of(), action);
  }
}

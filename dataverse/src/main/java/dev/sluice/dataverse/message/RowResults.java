package dev.sluice.dataverse.message;

import dev.sluice.dataverse.fault.ErrorBody;
import dev.sluice.dataverse.fault.Fault;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What became of each row of an elastic table, as its error's annotation says. */
final class RowResults {
  private RowResults() {}

  /**
   * A fault per row, null for one that is in.
   *
   * @param whole what the error means, by its code
   * @return null if the error says nothing of rows
   */
  static @Nullable List<@Nullable Fault> read(ErrorBody error, Fault whole, int rows) {
    String details = error.rows();
    if (details == null) {
      return null;
    }
    Fault silence =
        new Fault.UnknownOutcome(error.hexCode(), "the service did not say what became of the row");
    List<@Nullable Fault> faults = new ArrayList<>(Collections.nCopies(rows, silence));
    boolean told = false; // the words are those of the first row that failed
    try {
      for (JsonNode row : JsonMapper.shared().readTree(details)) {
        int index = row.path("RequestIndex").asInt(-1);
        int status = row.path("StatusCode").asInt(0);
        if (index < 0 || index >= rows || status == 0) {
          continue;
        }
        boolean in = status >= 200 && status < 300;
        String message =
            told
                ? "status %d; the service said why of another row only: %s"
                    .formatted(status, error.message())
                : error.message();
        faults.set(index, in ? null : fault(status, whole, error.hexCode(), message));
        told |= !in;
      }
    } catch (JacksonException e) {
      return null;
    }
    return faults;
  }

  /** A row may be forbidden for reasons of its own: only the code says that the user is. */
  private static Fault fault(int status, Fault whole, String code, String message) {
    return switch (status) {
      case 401 -> new Fault.Authentication(code, message);
      case 403 ->
          whole instanceof Fault.Privilege
              ? new Fault.Privilege(code, message)
              : new Fault.Validation(code, message);
      case 404 -> new Fault.NotFound(code, message);
      case 409 -> new Fault.Duplicate(true, code, message);
      case 413 -> new Fault.TooLarge(code, message);
      case 429, 503 -> new Fault.Busy(Optional.empty(), code, message);
      default ->
          status >= 500 || status == 408
              ? new Fault.UnknownOutcome(code, message)
              : new Fault.Validation(code, message);
    };
  }
}

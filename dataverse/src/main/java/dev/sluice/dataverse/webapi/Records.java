package dev.sluice.dataverse.webapi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.MessageOptions;
import dev.sluice.dataverse.message.RecordKey;
import dev.sluice.dataverse.service.Calls;
import dev.sluice.dataverse.service.FaultException;
import dev.sluice.dataverse.service.Service;
import dev.sluice.dataverse.table.Table;
import dev.sluice.gate.wire.WebRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Single records. A write that may have been carried out is repeated where that is harmless, and a
 * repeat that finds its work done counts as done. Columns are given as the members of a JSON object
 * without its braces. Thread-safe.
 *
 * <p>Every method throws {@link FaultException} if the service refuses, and {@link IOException} if
 * no answer came.
 */
public final class Records {
  private static final Pattern ID = Pattern.compile("\\(([0-9a-fA-F-]{36})\\)\\s*$");
  private static final byte[] NOTHING = new byte[0];

  private final Calls calls;
  private final MessageOptions options;

  /** Through these calls, with what the service is told beside the records. */
  public Records(Calls calls, MessageOptions options) {
    this.calls = requireNonNull(calls, "calls");
    this.options = requireNonNull(options, "options");
  }

  /**
   * Creates a row.
   *
   * @param key its primary key; null leaves it to the service. With one, a repeat does no harm
   * @return its primary key
   */
  public UUID create(Table table, RecordKey.@Nullable Id key, String columns)
      throws IOException, InterruptedException {
    String json = Item.json(table, key, columns);
    WebRequest request = write("POST", table.entitySet(), json);
    Calls.Outcome outcome = calls.call(request, key != null);
    boolean ours =
        outcome.repeated()
            && outcome.fault() instanceof Fault.Duplicate duplicate
            && duplicate.ofPrimaryKey();
    if (outcome.fault() != null && !(ours && key != null)) {
      throw new FaultException(Calls.name(request), outcome.fault());
    }
    if (key != null) {
      return key.id();
    }
    Matcher matcher =
        ID.matcher(outcome.answer().headers().firstValue("OData-EntityId").orElse(""));
    if (!matcher.find()) {
      throw new IOException(
          "the service created a row of %s and did not say which".formatted(table.logicalName()));
    }
    return UUID.fromString(matcher.group(1));
  }

  /** Changes columns of a row that must be there. */
  public void update(Table table, RecordKey key, String columns)
      throws IOException, InterruptedException {
    done(write("PATCH", key.address(table), "{" + columns + "}", "If-Match", "*"));
  }

  /** Changes columns of a row, or creates it if it is not there. */
  public void upsert(Table table, RecordKey key, String columns)
      throws IOException, InterruptedException {
    done(write("PATCH", key.address(table), "{" + columns + "}"));
  }

  private void done(WebRequest request) throws IOException, InterruptedException {
    Calls.Outcome outcome = calls.call(request, true);
    if (outcome.fault() != null) {
      throw new FaultException(Calls.name(request), outcome.fault());
    }
  }

  /**
   * Deletes a row.
   *
   * @return whether it was there; true if it is not known, because a first attempt may have been
   *     carried out
   */
  public boolean delete(Table table, RecordKey key) throws IOException, InterruptedException {
    WebRequest request = write("DELETE", key.address(table), "");
    Calls.Outcome outcome = calls.call(request, true);
    if (outcome.fault() instanceof Fault.NotFound) {
      return outcome.repeated();
    }
    if (outcome.fault() != null) {
      throw new FaultException(Calls.name(request), outcome.fault());
    }
    return true;
  }

  /**
   * Reads a row.
   *
   * @param columns those that are wanted, as {@code $select} names them; all if none is named,
   *     which is slow
   * @return empty if it is not there
   */
  public Optional<JsonNode> retrieve(Table table, RecordKey key, List<String> columns)
      throws IOException, InterruptedException {
    Service service = calls.service();
    String select = columns.isEmpty() ? "" : "?$select=" + String.join(",", columns);
    WebRequest request = service.get(service.address(key.address(table) + select));
    Calls.Outcome outcome = calls.call(request, true);
    if (outcome.fault() instanceof Fault.NotFound) {
      return Optional.empty();
    }
    if (outcome.fault() != null) {
      throw new FaultException(Calls.name(request), outcome.fault());
    }
    return Optional.of(outcome.json());
  }

  private WebRequest write(String method, String resource, String json, String... headers) {
    Service service = calls.service();
    List<String> all = new ArrayList<>(options.headers());
    all.addAll(List.of(headers));
    return new WebRequest(
        method,
        service.address(resource + options.query()),
        all,
        json.isEmpty() ? NOTHING : json.getBytes(UTF_8),
        service.timeouts().write());
  }
}

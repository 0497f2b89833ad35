package dev.sluice.dataverse;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.parallelism.AdaptiveRateStatistics;
import dev.sluice.control.quota.QuotaProfile;
import dev.sluice.dataverse.bulk.BulkJob;
import dev.sluice.dataverse.bulk.BulkOperationExecutor;
import dev.sluice.dataverse.bulk.BulkOptions;
import dev.sluice.dataverse.bulk.BulkResult;
import dev.sluice.dataverse.bulk.ItemSource;
import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.MessageOptions;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.message.RecordKey;
import dev.sluice.dataverse.message.WebMessenger;
import dev.sluice.dataverse.service.Calls;
import dev.sluice.dataverse.service.Routes;
import dev.sluice.dataverse.service.Service;
import dev.sluice.dataverse.signin.TokenCache;
import dev.sluice.dataverse.signin.TokenSource;
import dev.sluice.dataverse.table.Table;
import dev.sluice.dataverse.table.TableReader;
import dev.sluice.dataverse.webapi.Queries;
import dev.sluice.dataverse.webapi.Records;
import dev.sluice.dataverse.webapi.WhoAmI;
import dev.sluice.gate.CallOptions;
import dev.sluice.gate.Gate;
import dev.sluice.gate.GateEvent;
import dev.sluice.gate.RefusedException;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.HttpTransport;
import dev.sluice.gate.wire.Transport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * A Dataverse environment through a pool of application users. Every call passes one gate, with one
 * lane per user, or per user and web server, so that all of them together go as fast as the service
 * allows.
 *
 * <pre>{@code
 * try (DataverseClient client = DataverseClient.connect(options)) {
 *   BulkResult result = client.createMultiple("account", records);
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class DataverseClient implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DataverseClient.class);
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Gate gate;
  private final Calls calls;
  private final BulkOperationExecutor executor;
  private final TableReader tables;
  private final Time time;
  private final Map<String, WhoAmI> identities;
  private final DataverseGate opener;
  private final Map<String, Table> known = new ConcurrentHashMap<>();
  private final Runnable closing;

  private DataverseClient(
      DataverseGate opener,
      Gate gate,
      Service service,
      DataverseOptions options,
      Map<String, WhoAmI> identities,
      Time time,
      Runnable closing) {
    this.opener = opener;
    this.gate = gate;
    this.calls =
        Calls.through(gate, service)
            .withOptions(CallOptions.DEFAULTS.withResilience(options.resilience()));
    this.executor =
        new BulkOperationExecutor(gate, new WebMessenger(service), options.resilience());
    this.tables = new TableReader(calls);
    this.time = time;
    this.identities = Map.copyOf(identities);
    this.closing = closing;
  }

  /**
   * Signs every identity in, asks who it is and how much parallelism is recommended, and opens the
   * gate. Identities that are refused are left out, with a warning, as long as one works.
   *
   * @throws dev.sluice.dataverse.service.FaultException if no identity can sign in
   * @throws RefusedException if none has got through, because they stayed throttled
   * @throws IOException if the environment cannot be reached, or does not answer as one
   */
  public static DataverseClient connect(DataverseOptions options)
      throws IOException, InterruptedException {
    return connect(options, log::info);
  }

  /**
   * The same for identities that sign in with a device code.
   *
   * @param prompt shows a person what to do
   */
  public static DataverseClient connect(DataverseOptions options, Consumer<String> prompt)
      throws IOException, InterruptedException {
    Time time = Time.real();
    HttpTransport http = new HttpTransport(options.timeouts().connect(), time);
    try {
      return connect(options, http, http::close, time, prompt);
    } catch (IOException | InterruptedException | RuntimeException e) {
      http.close();
      throw e;
    }
  }

  /**
   * The same over another transport and on another time, for tests.
   *
   * @param transport to be closed by whoever made it
   * @param prompt shows a person what to do to sign in with a device code
   */
  public static DataverseClient connect(
      DataverseOptions options, Transport transport, Time time, Consumer<String> prompt)
      throws IOException, InterruptedException {
    return connect(options, transport, () -> {}, time, prompt);
  }

  private static DataverseClient connect(
      DataverseOptions options,
      Transport transport,
      Runnable closing,
      Time time,
      Consumer<String> prompt)
      throws IOException, InterruptedException {
    DataverseGate opener = new DataverseGate(options);
    Service service = service(options, transport, time, prompt, opener.routes());
    Map<String, WhoAmI> identities = firstContact(service, options.identities(), time);
    Gate gate = opener.open(identities.keySet(), time);
    if (log.isDebugEnabled()) {
      gate.addListener(event -> logLevel(gate, event));
    }
    return new DataverseClient(opener, gate, service, options, identities, time, closing);
  }

  /** After each throttle and each change of the level. */
  private static void logLevel(Gate gate, GateEvent event) {
    String connection =
        switch (event) {
          case GateEvent.ParallelismChanged changed -> changed.lane();
          case GateEvent.Throttled throttled -> throttled.lane();
          default -> "";
        };
    for (AdaptiveRateStatistics each : gate.adaptiveRateStatistics()) {
      if (each.connectionName().equals(connection)) {
        log.debug("{}, connection={}", each.logLine(), connection);
      }
    }
  }

  /**
   * The environment as all identities reach it, before any of them has signed in: for whoever wants
   * to look before there is a gate.
   *
   * @param prompt shows a person what to do to sign in with a device code
   */
  public static Service service(
      DataverseOptions options, Transport transport, Time time, Consumer<String> prompt) {
    return service(options, transport, time, prompt, Routes.PLAIN);
  }

  private static Service service(
      DataverseOptions options,
      Transport transport,
      Time time,
      Consumer<String> prompt,
      Routes routes) {
    TokenSource source =
        new TokenSource(transport, options.authority(), options.environment(), time, prompt);
    Map<String, TokenCache> tokens = new LinkedHashMap<>();
    for (Identity identity : options.identities()) {
      tokens.put(identity.name(), new TokenCache(source, identity.credential(), time));
    }
    return new Service(
        transport,
        options.environment(),
        options.apiVersion(),
        tokens,
        options.timeouts(),
        time,
        routes,
        options.headers(),
        options.caller());
  }

  private static Map<String, WhoAmI> firstContact(
      Service service, List<Identity> identities, Time time)
      throws IOException, InterruptedException {
    // Side by side: whoever is throttled just now keeps nobody else waiting.
    List<FirstContact> contacts =
        identities.stream().map(each -> FirstContact.begin(service, each.name(), time)).toList();
    try {
      Map<String, WhoAmI> found = new LinkedHashMap<>();
      IOException failed = null;
      RefusedException throttled = null;
      for (FirstContact contact : contacts) {
        try {
          found.put(contact.identity(), contact.join());
        } catch (IOException e) {
          log.warn("identity {} is left out: {}", contact.identity(), e.getMessage());
          failed = e;
        } catch (RefusedException e) {
          log.warn("identity {} is left out: {}", contact.identity(), e.getMessage());
          throttled = e;
        }
      }
      if (found.isEmpty() && throttled != null) {
        throw throttled; // which passes, unlike the other reasons
      }
      if (found.isEmpty() && failed != null) {
        throw failed;
      }
      return found;
    } finally {
      contacts.forEach(FirstContact::stop);
    }
  }

  /** The gate that all calls pass: its statistics, its listeners, its lanes. */
  public Gate gate() {
    return gate;
  }

  /**
   * Where the search for each connection's parallelism stands, whatever the policy. A connection is
   * a lane: an identity, or with {@link DataverseOptions#pinned} an identity at a web server.
   */
  public List<AdaptiveRateStatistics> adaptiveRateStatistics() {
    return gate.adaptiveRateStatistics();
  }

  /**
   * The same of one connection.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public AdaptiveRateStatistics adaptiveRateStatistics(String connection) {
    return gate.adaptiveRateStatistics(connection);
  }

  /**
   * Searches anew for a connection's parallelism; see {@link Gate#reset}.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public void reset(String connection) {
    gate.reset(connection);
  }

  /** Who signed in, by the names of the identities. */
  public Map<String, WhoAmI> identities() {
    return identities;
  }

  /**
   * What was learned so far of each identity: servers, round trip, what messages cost by table and
   * operation, and what was spent in the last window. For the {@linkplain
   * DataverseOptions#withLearned options} of the next client, once they are {@linkplain
   * QuotaProfile#aged as old} as they are then.
   */
  public Map<String, QuotaProfile> learned() {
    return opener.learned(time.nanos());
  }

  /** What writes many records. */
  public BulkOperationExecutor bulk() {
    return executor;
  }

  /** Single records. */
  public Records records() {
    return new Records(calls, MessageOptions.DEFAULTS);
  }

  /** Many records, page by page. */
  public Queries queries() {
    return new Queries(calls, Queries.LARGEST_PAGE);
  }

  /**
   * A table as the service describes it; asked once.
   *
   * @throws dev.sluice.dataverse.service.FaultException if there is none, or this user may not see
   *     it
   */
  public Table table(String logicalName) throws IOException, InterruptedException {
    Table table = known.get(logicalName);
    if (table == null) {
      table = tables.read(logicalName);
      known.put(logicalName, table);
    }
    return table;
  }

  /**
   * Creates records. Each gets its key here, so that a repeat cannot make a second row.
   *
   * @param records values by column names, as JSON knows them: texts, numbers, booleans, null
   */
  public BulkResult createMultiple(String table, List<? extends Map<String, ?>> records)
      throws IOException, InterruptedException {
    return write(table, Operation.CREATE, records, BulkOptions.DEFAULTS);
  }

  /** Updates records, which hold their primary key. */
  public BulkResult updateMultiple(String table, List<? extends Map<String, ?>> records)
      throws IOException, InterruptedException {
    return write(table, Operation.UPDATE, records, BulkOptions.DEFAULTS);
  }

  /** Creates or updates records, which hold their primary key. */
  public BulkResult upsertMultiple(String table, List<? extends Map<String, ?>> records)
      throws IOException, InterruptedException {
    return write(table, Operation.UPSERT, records, BulkOptions.DEFAULTS);
  }

  /** Deletes records, of which only the primary key matters. */
  public BulkResult deleteMultiple(String table, List<? extends Map<String, ?>> records)
      throws IOException, InterruptedException {
    return write(table, Operation.DELETE, records, BulkOptions.DEFAULTS);
  }

  /**
   * Writes records that are in memory. For those that are not, or for other keys, make a {@link
   * BulkJob} and give it to {@link #bulk}.
   *
   * @throws IllegalArgumentException if a record lacks the primary key where it is needed, or it is
   *     no id
   */
  public BulkResult write(
      String table,
      Operation operation,
      List<? extends Map<String, ?>> records,
      BulkOptions options)
      throws IOException, InterruptedException {
    Table target = table(table);
    List<Item> items = new ArrayList<>(records.size());
    for (Map<String, ?> record : records) {
      items.add(item(items.size(), target, operation, record));
    }
    return executor.execute(
        BulkJob.of(target, operation, ItemSource.of(items)).withOptions(options));
  }

  private Item item(int index, Table table, Operation operation, Map<String, ?> record) {
    Map<String, Object> columns = new LinkedHashMap<>(record);
    Object id = columns.remove(table.primaryId());
    if (id == null && operation != Operation.CREATE) {
      throw new IllegalArgumentException(
          "record %d has no %s, but a record to %s needs one (which row is meant)"
              .formatted(index, table.primaryId(), operation.wireName()));
    }
    RecordKey.Id key = new RecordKey.Id(id == null ? newId() : parsed(index, table, id));
    String json = operation == Operation.DELETE ? "{}" : JSON.writeValueAsString(columns);
    return new Item(index, key, id == null, json.substring(1, json.length() - 1));
  }

  private static UUID parsed(int index, Table table, Object id) {
    try {
      return id instanceof UUID uuid ? uuid : UUID.fromString(requireNonNull(id).toString());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "record %d has the %s '%s', but must have an id like %s"
              .formatted(index, table.primaryId(), id, new UUID(0, 0)),
          e);
    }
  }

  private UUID newId() {
    long random = time.random().nextLong();
    long more = time.random().nextLong();
    long millis = time.instant().toEpochMilli();
    return new UUID((millis << 16) | 0x7000 | (random & 0xFFF), (1L << 63) | (more >>> 2));
  }

  /** Lets nothing more through. Calls that are out come back first. */
  @Override
  public void close() {
    gate.close();
    closing.run();
  }
}

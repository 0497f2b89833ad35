package dev.sluice.simulator.dataverse;

import dev.sluice.gate.time.Time;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.store.Row;
import dev.sluice.simulator.dataverse.store.Schema;
import dev.sluice.simulator.dataverse.store.Store;
import dev.sluice.simulator.dataverse.store.TableSchema;
import dev.sluice.simulator.dataverse.webapi.Answers;
import dev.sluice.simulator.dataverse.webapi.Call;
import dev.sluice.simulator.dataverse.webapi.Operation;
import dev.sluice.simulator.dataverse.webapi.Plan;
import dev.sluice.simulator.dataverse.webapi.Runner;
import dev.sluice.simulator.dataverse.webapi.WebApi;
import dev.sluice.simulator.farm.Account;
import dev.sluice.simulator.farm.Facet;
import dev.sluice.simulator.farm.Farm;
import dev.sluice.simulator.farm.ProtectionOptions;
import dev.sluice.simulator.farm.Throttle;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Lost;
import dev.sluice.simulator.http.Reply;
import dev.sluice.simulator.http.Request;
import dev.sluice.simulator.http.Response;
import dev.sluice.simulator.http.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A Dataverse environment that is not one: tables, users, web servers with service protection, and
 * faults, on a given time and with chance from a given seed.
 *
 * <p>A request is understood, let in or refused, then takes its time, and then is done, all in one
 * moment. The time is {@link Time}'s, and no lock is held over it: the same environment runs over
 * HTTP in real time and, called directly, in simulated time. Thread-safe.
 */
public final class Environment implements Service {
  private final EnvironmentOptions options;
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final SplittableRandom random;
  private final Store store;
  private final Farm farm;
  private final Tokens tokens;
  private final Faults faults;
  private final Ledger ledger;
  private final Preparation preparation = new Preparation();
  private final Dressing dressing;
  private final SignIn signIn;
  private final Runner runner;
  private final WebApi webApi;
  private final Control control;
  private final List<Call.Caller> callers = new ArrayList<>();

  /** An environment with empty tables and servers at rest. */
  public Environment(EnvironmentOptions options, Time time, long seed) {
    this.options = options;
    this.time = time;
    this.random = new SplittableRandom(seed);
    Supplier<UUID> ids = this::nextId;
    this.store = new Store(options.schema(), random.split());
    this.farm = new Farm(options.farm(), random.split());
    this.tokens = new Tokens(random.split());
    this.faults = new Faults(options.faults(), random.split());
    this.ledger = new Ledger(options.users().size(), options.logSize());
    this.dressing = new Dressing(options.farm().servers(), random.split());
    this.runner = new Runner(store, lock, time);
    this.webApi = new WebApi(runner, ids);
    this.signIn = new SignIn(options.users(), options.tokenLife(), this::issue, ids, time::instant);
    this.control = new Control(this);
    UUID organization = nextId();
    UUID businessUnit = nextId();
    for (ApplicationUser user : options.users()) {
      int unused = farm.addUser(time.nanos());
      callers.add(new Call.Caller(user.userId(), businessUnit, organization));
    }
  }

  @Override
  public Reply answer(Request request) throws InterruptedException {
    String path = request.path();
    if (WebApi.covers(path)) {
      return data(request);
    }
    if (SignIn.covers(path)) {
      return signIn.answer(request);
    }
    if (Control.covers(path)) {
      return control.answer(request);
    }
    return Response.of(
        404,
        Headers.of("Content-Type", "text/html"),
        "<html><body><h1>404 - not found</h1></body></html>");
  }

  private Reply data(Request request) throws InterruptedException {
    String host = request.headers().first("Host");
    String scheme = request.headers().first("X-Forwarded-Proto");
    String origin =
        ("https".equals(scheme) ? "https://" : "http://") + (host == null ? "localhost" : host);
    Integer user = user(request);
    if (user == null) {
      return Refusals.unauthorized(origin, nextId());
    }
    Call call = Call.of(request, origin + "/api/data/v9.2", callers.get(user));
    Plan plan = webApi.plan(call);
    Admission admission = admit(request, user, plan);
    if (admission == null) {
      return Refusals.unauthorized(origin, nextId());
    }
    Throttle throttle = admission.visit().throttle();
    if (throttle != null) {
      return finish(user, plan, admission, Refusals.throttled(throttle, limits()));
    }
    Reply reply = new Lost("interrupted");
    try {
      // Without anything to wait for there is no wait, which even then would be one.
      if (admission.visit().duration() > 0) {
        time.sleepUntil(admission.at() + admission.visit().duration());
      }
      reply = work(call, plan, admission.fault());
    } finally {
      reply = finish(user, plan, admission, reply);
    }
    return reply;
  }

  /** What was decided about a request when it came. */
  private record Admission(Farm.Visit visit, @Nullable FaultRule fault, long at) {}

  private @Nullable Integer user(Request request) {
    String header = request.headers().first("Authorization");
    lock.lock();
    try {
      Integer user =
          header != null && header.regionMatches(true, 0, "Bearer ", 0, 7)
              ? tokens.user(header.substring(7).strip(), time.nanos())
              : null;
      if (user == null) {
        ledger.unauthorized();
      }
      return user;
    } finally {
      lock.unlock();
    }
  }

  /** Null if the token is found to have expired just now. */
  private @Nullable Admission admit(Request request, int user, Plan plan) {
    lock.lock();
    try {
      if (faults.choose(plan, true) != null) {
        tokens.revoke(
            String.valueOf(request.headers().first("Authorization")).substring(7).strip());
        ledger.unauthorized();
        return null;
      }
      long now = time.nanos();
      Farm.Visit visit =
          farm.arrive(user, dressing.server(request.headers()), options.times().of(plan), now);
      if (visit.throttle() != null) {
        return new Admission(visit, null, now);
      }
      FaultRule fault = faults.choose(plan, false);
      if (options.preparation() && preparation.isRaced(plan) && fault == null) {
        faults.note(FaultKind.TABLE_PREPARATION);
        fault = FaultRule.next(FaultKind.TABLE_PREPARATION, 0, 1);
      }
      return new Admission(visit, fault, now);
    } finally {
      lock.unlock();
    }
  }

  private Reply work(Call call, Plan plan, @Nullable FaultRule fault) {
    boolean annotated = call.preferences().annotations();
    if (fault != null && fault.kind() == FaultKind.DROPPED_BEFORE) {
      return new Lost("dropped before the work");
    }
    if (fault != null && fault.kind().when() == FaultKind.When.BEFORE) {
      return Answers.error(Faults.error(fault.kind(), plan), annotated);
    }
    Response response;
    try {
      response = runner.run(plan);
    } catch (WebApiException e) {
      response = Answers.error(e, annotated);
    }
    if (fault == null) {
      return response;
    }
    return switch (fault.kind()) {
      case DROPPED -> new Lost("dropped after the work");
      case SLOW_BODY -> response.slowly(fault.duration());
      default -> Faults.gateway(fault.kind());
    };
  }

  private Reply finish(int user, Plan plan, Admission admission, Reply reply) {
    Farm.Visit visit = admission.visit();
    lock.lock();
    try {
      long now = time.nanos();
      Throttle throttle = visit.throttle();
      if (throttle == null) {
        farm.finish(visit, now);
        preparation.finish(plan);
      }
      FaultRule fault = admission.fault();
      ledger.record(
          user,
          new RequestRecord(
              ledger.nextNumber(),
              admission.at(),
              options.users().get(user).name(),
              visit.server(),
              plan.operation(),
              plan.table(),
              plan.rows(),
              reply instanceof Response response ? response.status() : 0,
              throttle == null ? null : throttle.facet(),
              fault == null ? null : fault.kind(),
              Duration.ofNanos(visit.duration())));
      if (reply instanceof Response response && response.headers().first("OData-Version") != null) {
        dressing.dress(response.headers(), visit, options.parallelism(), now);
      }
      return reply;
    } finally {
      lock.unlock();
    }
  }

  private String issue(int user) {
    lock.lock();
    try {
      return tokens.issue(
          user,
          options.users().get(user).clientId(),
          options.tokenLife(),
          time.nanos(),
          time.instant());
    } finally {
      lock.unlock();
    }
  }

  private UUID nextId() {
    lock.lock();
    try {
      return Chance.uuid(random);
    } finally {
      lock.unlock();
    }
  }

  /** What it was made with. */
  public EnvironmentOptions options() {
    return options;
  }

  /** A token for a user of the options, by its number, as if it had signed in. */
  public String token(int user) {
    return issue(user);
  }

  /** What service protection allows now. */
  public ProtectionOptions limits() {
    lock.lock();
    try {
      return farm.options().protection();
    } finally {
      lock.unlock();
    }
  }

  /** Allows something else from the next request on; whether servers count together stays. */
  public void limit(ProtectionOptions limits) {
    lock.lock();
    try {
      farm.change(limits);
    } finally {
      lock.unlock();
    }
  }

  /** What goes wrong now. */
  public List<FaultRule> faults() {
    lock.lock();
    try {
      return faults.rules();
    } finally {
      lock.unlock();
    }
  }

  /** Lets other things go wrong from the next request on; scripts start anew. */
  public void strike(List<FaultRule> rules) {
    lock.lock();
    try {
      faults.replace(rules);
    } finally {
      lock.unlock();
    }
  }

  /** Accepts none of the tokens any longer that were given out so far. */
  public void expireTokens() {
    lock.lock();
    try {
      tokens.revokeAll();
    } finally {
      lock.unlock();
    }
  }

  /** What has happened so far. */
  public Counters counters() {
    lock.lock();
    try {
      List<Counters.OfUser> users = new ArrayList<>();
      for (int user = 0; user < options.users().size(); user++) {
        users.add(counters(user));
      }
      Map<String, Integer> rows = new LinkedHashMap<>();
      for (TableSchema table : options.schema().tables()) {
        rows.put(table.name(), store.table(table).size());
      }
      return new Counters(
          users, ledger.unauthorizedSoFar(), ledger.statuses(), faults.struck(), rows);
    } finally {
      lock.unlock();
    }
  }

  private Counters.OfUser counters(int user) {
    Map<Facet, Long> rejected = new EnumMap<>(Facet.class);
    long accepted = 0;
    long pressed = 0;
    int inFlight = 0;
    int servers = farm.options().protection().shared() ? 1 : farm.options().servers();
    for (int server = 0; server < servers; server++) {
      Account account = farm.account(user, server);
      accepted += account.tally().accepted();
      pressed += account.tally().pressed();
      inFlight += account.inFlight();
      for (Facet facet : Facet.values()) {
        rejected.merge(facet, account.tally().refused(facet), Long::sum);
      }
    }
    long refused = rejected.values().stream().mapToLong(Long::longValue).sum();
    Map<Operation, Long> operations = ledger.operations(user);
    return new Counters.OfUser(
        options.users().get(user).name(),
        accepted + refused,
        accepted,
        rejected,
        pressed,
        inFlight,
        operations);
  }

  /** The last requests of users, the oldest first: as many as asked for and remembered. */
  public List<RequestRecord> requests(int most) {
    lock.lock();
    try {
      return ledger.last(most);
    } finally {
      lock.unlock();
    }
  }

  /**
   * All rows of a table in order of their ids, each by the names under which columns are read.
   *
   * @throws IllegalArgumentException if there is no such table
   */
  public List<Map<String, @Nullable Object>> rows(String table) {
    TableSchema schema = table(table);
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (@Nullable Object[] cells : cells(schema)) {
      Map<String, @Nullable Object> row = HashMap.newHashMap(cells.length);
      for (int i = 0; i < cells.length; i++) {
        row.put(schema.columns().get(i).readName(), cells[i]);
      }
      rows.add(row);
    }
    return rows;
  }

  List<@Nullable Object[]> cells(TableSchema schema) {
    Row[] ordered;
    lock.lock();
    try {
      ordered = store.table(schema).ordered();
    } finally {
      lock.unlock();
    }
    List<@Nullable Object[]> all = new ArrayList<>(ordered.length);
    for (Row row : ordered) {
      @Nullable Object[] cells = row.cells();
      if (cells != null) {
        all.add(cells);
      }
    }
    return all;
  }

  /** Forgets all rows of a table. */
  public void clear(String table) {
    TableSchema schema = table(table);
    lock.lock();
    try {
      store.clear(schema);
    } finally {
      lock.unlock();
    }
  }

  TableSchema table(String name) {
    Schema schema = options.schema();
    TableSchema table = schema.named(name);
    if (table == null) {
      throw new IllegalArgumentException(
          "there is no table '%s'; there are %s"
              .formatted(name, schema.tables().stream().map(TableSchema::name).toList()));
    }
    return table;
  }
}

package dev.sluice.simulator.provider.http;

import dev.sluice.gate.time.Time;
import dev.sluice.simulator.catalogue.Catalogue;
import dev.sluice.simulator.provider.Counters;
import dev.sluice.simulator.provider.Header;
import dev.sluice.simulator.provider.Misbehaviour;
import dev.sluice.simulator.provider.OpaqueService;
import dev.sluice.simulator.provider.ServiceOptions;
import dev.sluice.simulator.provider.Verdict;
import dev.sluice.simulator.provider.http.LoggedRequest.PathClass;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A provider: answers calls about its items, through accounts that push back, and takes as long for
 * it as its options say.
 *
 * <pre>{@code
 * SimulatedTime.run(42, time -> {
 *   Provider provider = new Provider(ProviderOptions.DEFAULTS, time);
 *   Reply page = provider.exchange(Call.get("/items?limit=50"));
 * });
 * }</pre>
 *
 * <p>{@code GET /items} lists, {@code /items/7} and {@code /items/7/comments} give details, {@code
 * POST /oauth/token} issues access tokens, {@code /control} shows and changes what happens.
 *
 * <p>Thread-safe. No lock is held while a call takes its time.
 */
public final class Provider {
  private static final Duration TRICKLE = Duration.ofSeconds(5);

  /** How long a client waits for an answer that does not come. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final ProviderOptions options;
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by the lock, with all that they hold.
  private final List<Account> accounts = new ArrayList<>();
  private final Catalogue catalogue;
  private final Shelf shelf;
  private final Desk desk;
  private final RequestLog log = new RequestLog();
  private final Control control;
  private final SplittableRandom random;

  /** A provider at rest. Its windows on the clock begin with the minutes, hours and days of UTC. */
  public Provider(ProviderOptions options, Time time) {
    long now = time.nanos();
    Instant wallClock = time.instant();
    long seed = options.catalogue().seed();
    long boundary = now - TimeUnit.MILLISECONDS.toNanos(wallClock.toEpochMilli());
    this.options = options;
    this.time = time;
    this.random = new SplittableRandom(seed + 1);
    this.catalogue = new Catalogue(options.catalogue(), wallClock, now);
    this.shelf = new Shelf(catalogue, options.paging(), options.pageSize());
    this.desk = new Desk(options.credentials(), random.nextLong());
    for (int i = 0; i < options.credentials().count(); i++) {
      accounts.add(
          new Account(options.service(), options.quota(), seed + i * GOLDEN, boundary, now));
    }
    this.control = new Control(accounts, catalogue, desk, log);
  }

  /**
   * Makes a call, and waits as long as its answer takes.
   *
   * @throws IOException if the connection is lost before the whole answer is there, as an HTTP
   *     client would find it
   */
  public Reply exchange(Call call) throws IOException, InterruptedException {
    return arrived(serve(call), time.deadline(PATIENCE));
  }

  /**
   * The same for a client that hangs up if there is no answer after so long.
   *
   * @throws HttpTimeoutException if there was none
   */
  public Reply exchange(Call call, Duration patience) throws IOException, InterruptedException {
    long hungUp = time.deadline(patience);
    return arrived(serve(call, hungUp), hungUp);
  }

  private Reply arrived(Reply reply, long hungUp) throws IOException, InterruptedException {
    switch (reply.delivery()) {
      case LOST -> {
        time.sleepUntil(hungUp);
        throw new HttpTimeoutException("no answer came in time");
      }
      case DROPPED -> throw new IOException("the connection was closed without an answer");
      case TRUNCATED -> throw new IOException("the connection was closed amid the body");
      case TRICKLED -> time.sleep(TRICKLE);
      case WHOLE -> {
        // It is here.
      }
    }
    return reply;
  }

  /** The same, but how the answer arrives is left to the caller. */
  Reply serve(Call call) throws InterruptedException {
    return serve(call, Time.NEVER);
  }

  private Reply serve(Call call, long hungUp) throws InterruptedException {
    Visit visit;
    lock.lock();
    try {
      visit = begin(call);
    } finally {
      lock.unlock();
    }
    OpaqueService service = visit.service();
    if (service == null) {
      return visit.reply();
    }
    boolean late = visit.until() > hungUp;
    try {
      time.sleepUntil(late ? hungUp : visit.until());
    } finally {
      lock.lock();
      try {
        service.finish(time.nanos());
      } finally {
        lock.unlock();
      }
    }
    return late ? visit.reply().with(Reply.Delivery.LOST) : visit.reply();
  }

  private Visit begin(Call call) {
    long now = time.nanos();
    Instant wallClock = time.instant();
    catalogue.advance(now, wallClock);
    PathClass path = PathClass.OTHER;
    int account = -1;
    Verdict verdict = null;
    Visit visit;
    try {
      Target target = Target.parse(call.target());
      if (!target.segments().isEmpty() && target.segments().getFirst().equals("control")) {
        return new Visit(control.answer(call, target, now, wallClock), null, now);
      }
      Route route = Route.of(call, target);
      path = route.path();
      if (path == PathClass.TOKEN) {
        visit = new Visit(desk.issue(call, now), null, now);
      } else if (path == PathClass.OTHER) {
        visit = new Visit(Route.index(options), null, now);
      } else {
        account = desk.account(call, target, now);
        Account who = accounts.get(account);
        verdict = who.service().arrive(route.object(), now);
        List<Header> told = who.announcement().headers(verdict, now, wallClock);
        Reply reply = answer(call, target, route, verdict, who.service().options(), wallClock);
        visit =
            new Visit(
                delivered(reply.with(told), verdict, who.service().options()),
                verdict.runs() ? who.service() : null,
                now + verdict.duration());
      }
    } catch (MistakenCall mistake) {
      visit = new Visit(complaint(mistake), null, now);
    }
    Verdict.Kind kind = verdict == null ? null : verdict.kind();
    log.add(new LoggedRequest(wallClock, path, account, kind, visit.reply().status()));
    return visit;
  }

  private Reply answer(
      Call call,
      Target target,
      Route route,
      Verdict verdict,
      ServiceOptions service,
      Instant wallClock) {
    if (!verdict.admitted()) {
      return Refusals.of(verdict, service);
    }
    try {
      Reply reply =
          switch (route.path()) {
            case LIST -> shelf.list(target, Route.base(call), service, wallClock);
            case COMMENTS ->
                shelf.comments(route.object(), target, Route.base(call), service, wallClock);
            default -> shelf.detail(route.object());
          };
      return Etags.revalidated(call, reply);
    } catch (MistakenCall mistake) {
      return complaint(mistake);
    }
  }

  static Reply complaint(MistakenCall mistake) {
    Reply reply = Reply.json(mistake.status(), Json.error(mistake.code(), mistake.why()));
    return switch (mistake.status()) {
      case 401 -> reply.with(new Header("WWW-Authenticate", "Bearer realm=\"simulated\""));
      case 405 -> reply.with(new Header("Allow", mistake.why()));
      default -> reply;
    };
  }

  private Reply delivered(Reply reply, Verdict verdict, ServiceOptions service) {
    if (verdict.status() == Verdict.NO_ANSWER) {
      return reply.with(Reply.Delivery.DROPPED);
    }
    if (verdict.status() == Verdict.LOST) {
      return reply.with(Reply.Delivery.LOST);
    }
    if (service.has(Misbehaviour.CONNECTION_DROPS) && random.nextInt(50) == 0) {
      return reply.with(Reply.Delivery.DROPPED);
    }
    if (reply.body().length() < 2) {
      return reply;
    }
    if (service.has(Misbehaviour.BODY_TRUNCATED) && random.nextInt(50) == 0) {
      return reply.with(Reply.Delivery.TRUNCATED);
    }
    return service.has(Misbehaviour.BODY_TRICKLES) && random.nextInt(20) == 0
        ? reply.with(Reply.Delivery.TRICKLED)
        : reply;
  }

  /** What became of an account's requests, counted from 0; a live view, to be read at rest. */
  public Counters counters(int account) {
    return accounts.get(account).service().counters();
  }

  /** The last requests, at most 10,000, oldest first; those to the control address are not kept. */
  public List<LoggedRequest> log() {
    lock.lock();
    try {
      return log.last(RequestLog.MOST);
    } finally {
      lock.unlock();
    }
  }

  /** What it was made with. */
  public ProviderOptions options() {
    return options;
  }

  /**
   * A call on its way.
   *
   * @param reply what is answered
   * @param service which account serves it; null if it does not take its time
   * @param until when it is served
   */
  private record Visit(Reply reply, @Nullable OpaqueService service, long until) {}
}

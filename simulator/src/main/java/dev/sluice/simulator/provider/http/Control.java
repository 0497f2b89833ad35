package dev.sluice.simulator.provider.http;

import dev.sluice.simulator.catalogue.Catalogue;
import dev.sluice.simulator.catalogue.Catalogue.Mutation;
import dev.sluice.simulator.limit.LimitOptions;
import dev.sluice.simulator.provider.Misbehaviour;
import dev.sluice.simulator.provider.ServiceOptions;
import dev.sluice.simulator.provider.Signal;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The control address: what happened, and what shall happen from now on. For whoever runs the
 * provider, not for its clients; it is neither limited nor guarded. Single-threaded.
 */
final class Control {
  private static final Set<String> KEYS =
      Set.of(
          "factor",
          "limit",
          "signal",
          "misbehave",
          "add",
          "change",
          "remove",
          "reinstate",
          "expire_tokens");

  private final List<Account> accounts;
  private final Catalogue catalogue;
  private final Desk desk;
  private final RequestLog log;

  Control(List<Account> accounts, Catalogue catalogue, Desk desk, RequestLog log) {
    this.accounts = accounts;
    this.catalogue = catalogue;
    this.desk = desk;
    this.log = log;
  }

  Reply answer(Call call, Target target, long now, Instant wallClock) {
    List<String> segments = target.segments();
    if (segments.equals(List.of("control", "log")) && call.method().equals("GET")) {
      return log(target);
    }
    if (!segments.equals(List.of("control"))) {
      throw new MistakenCall(404, "not_found", "try /control or /control/log");
    }
    return switch (call.method()) {
      case "GET", "HEAD" -> report(now);
      case "POST" -> {
        change(Json.read(call.body()), now, wallClock);
        yield report(now);
      }
      default -> throw new MistakenCall(405, "method_not_allowed", "GET, HEAD, POST");
    };
  }

  private Reply report(long now) {
    ServiceOptions options = accounts.getFirst().service().options();
    return Reply.json(
        200,
        Json.write(
            Json.object(
                "accounts",
                accounts.stream().map(account -> account.report(now)).toList(),
                "items",
                catalogue.size(),
                "signal",
                key(options.signal()),
                "misbehaviours",
                options.misbehaviours().stream().map(Misbehaviour::key).toList())));
  }

  private Reply log(Target target) {
    long most = target.number("last", 100, 0, RequestLog.MOST);
    return Reply.json(200, Json.write(log.last(most).stream().map(Control::entry).toList()));
  }

  private static Map<String, @Nullable Object> entry(LoggedRequest request) {
    return Json.object(
        "at",
        request.at().toString(),
        "path",
        key(request.path()),
        "account",
        request.account(),
        "verdict",
        request.verdict() == null ? null : key(request.verdict()),
        "status",
        request.status());
  }

  private static String key(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private void change(Map<String, Object> wanted, long now, Instant wallClock) {
    Set<String> unknown = new TreeSet<>(wanted.keySet());
    unknown.removeAll(KEYS);
    if (!unknown.isEmpty()) {
      throw new MistakenCall(
          400,
          "unknown_key",
          "there is no key '%s'; there are %s"
              .formatted(Target.abridged(unknown.iterator().next()), new TreeSet<>(KEYS)));
    }
    // All is read before anything is changed: a mistake changes nothing.
    ServiceOptions options = options(wanted);
    double factor = number(wanted, "factor", 1_000, 1);
    int added = whole(wanted, "add");
    int changed = whole(wanted, "change");
    int removed = whole(wanted, "remove");
    boolean reinstate = isTrue(wanted, "reinstate");
    boolean expireTokens = isTrue(wanted, "expire_tokens");
    for (Account account : accounts) {
      account.service().change(options, now);
      if (wanted.containsKey("factor")) {
        account.service().changeLimit(factor, now);
      }
      if (reinstate) {
        account.service().reinstate(now);
      }
    }
    if (expireTokens) {
      desk.expireTokens();
    }
    mutate(Mutation.ADD, added, wallClock);
    mutate(Mutation.CHANGE, changed, wallClock);
    mutate(Mutation.REMOVE, removed, wallClock);
  }

  private void mutate(Mutation mutation, int times, Instant wallClock) {
    for (int i = 0; i < times; i++) {
      boolean unused = catalogue.mutate(mutation, wallClock);
    }
  }

  private ServiceOptions options(Map<String, Object> wanted) {
    ServiceOptions options = accounts.getFirst().service().options();
    try {
      if (wanted.containsKey("limit")) {
        options = options.withLimit(LimitOptions.parse(String.valueOf(wanted.get("limit"))));
      }
    } catch (IllegalArgumentException mistake) {
      throw new MistakenCall(400, "invalid_value", String.valueOf(mistake.getMessage()));
    }
    if (wanted.containsKey("signal")) {
      options = options.withSignal(signal(String.valueOf(wanted.get("signal"))));
    }
    if (wanted.get("misbehave") instanceof List<?> names) {
      Set<Misbehaviour> misbehaviours = EnumSet.noneOf(Misbehaviour.class);
      names.forEach(name -> misbehaviours.add(misbehaviour(String.valueOf(name))));
      options = options.withMisbehaviours(misbehaviours);
    } else if (wanted.containsKey("misbehave")) {
      throw new MistakenCall(400, "invalid_value", "misbehave must be a list of names");
    }
    return options;
  }

  private static Signal signal(String name) {
    return Arrays.stream(Signal.values())
        .filter(signal -> key(signal).equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new MistakenCall(
                    400,
                    "invalid_value",
                    "signal is '%s', but must be one of %s"
                        .formatted(
                            Target.abridged(name),
                            Arrays.stream(Signal.values()).map(Control::key).toList())));
  }

  private static Misbehaviour misbehaviour(String name) {
    return Misbehaviour.named(name)
        .orElseThrow(
            () ->
                new MistakenCall(
                    400,
                    "invalid_value",
                    "there is no misbehaviour '%s'".formatted(Target.abridged(name))));
  }

  private static double number(Map<String, Object> wanted, String key, double most, double usual) {
    if (!wanted.containsKey(key)) {
      return usual;
    }
    if (wanted.get(key) instanceof Number number
        && number.doubleValue() >= 0
        && number.doubleValue() <= most) {
      return number.doubleValue();
    }
    throw new MistakenCall(
        400,
        "invalid_value",
        "%s is %s, but must be a number from 0 to %.0f".formatted(key, wanted.get(key), most));
  }

  private static int whole(Map<String, Object> wanted, String key) {
    double number = number(wanted, key, 100_000, 0);
    if (number != Math.rint(number)) {
      throw new MistakenCall(
          400, "invalid_value", "%s is %s, but must be a whole number".formatted(key, number));
    }
    return (int) number;
  }

  private static boolean isTrue(Map<String, Object> wanted, String key) {
    if (!wanted.containsKey(key)) {
      return false;
    }
    if (wanted.get(key) instanceof Boolean truth) {
      return truth;
    }
    throw new MistakenCall(
        400,
        "invalid_value",
        "%s is %s, but must be true or false"
            .formatted(key, Target.abridged(String.valueOf(wanted.get(key)))));
  }
}

package dev.sluice.simulator.dataverse;

import dev.sluice.simulator.dataverse.odata.Json;
import dev.sluice.simulator.dataverse.odata.PercentText;
import dev.sluice.simulator.dataverse.odata.RowWriter;
import dev.sluice.simulator.dataverse.store.Column;
import dev.sluice.simulator.dataverse.store.TableSchema;
import dev.sluice.simulator.dataverse.webapi.Operation;
import dev.sluice.simulator.farm.Facet;
import dev.sluice.simulator.farm.ProtectionOptions;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Request;
import dev.sluice.simulator.http.Response;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The address under which the environment tells the truth about itself and takes orders. No token
 * is asked for, nothing is counted and nothing goes wrong here. Thread-safe.
 */
final class Control {
  private static final String ROOT = "/simulator";
  private static final JsonMapper MAPPER = JsonMapper.shared();

  private final Environment environment;

  Control(Environment environment) {
    this.environment = environment;
  }

  static boolean covers(String path) {
    return path.equals(ROOT) || path.startsWith(ROOT + "/");
  }

  Response answer(Request request) {
    try {
      String path = request.path().substring(ROOT.length()).replaceAll("^/|/$", "");
      String[] segments = path.split("/", -1);
      return switch (segments[0]) {
        case "" -> ok(this::index);
        case "users" -> only(request, "GET", () -> ok(this::users));
        case "counters" -> only(request, "GET", () -> ok(this::counters));
        case "requests" -> only(request, "GET", () -> requests(request));
        case "limits" -> limits(request);
        case "faults" -> faults(request);
        case "tokens" ->
            only(
                request,
                "DELETE",
                () -> {
                  environment.expireTokens();
                  return Response.of(204, new Headers());
                });
        case "tables" -> table(request, segments);
        default -> problem(404, "there is nothing at %s; see /simulator/".formatted(path));
      };
    } catch (IllegalArgumentException e) {
      return problem(400, String.valueOf(e.getMessage()));
    } catch (JacksonException e) {
      return problem(400, "the body is not JSON: " + Json.reason(e));
    }
  }

  private interface Step {
    Response run();
  }

  private static Response only(Request request, String method, Step step) {
    return request.method().equals(method)
        ? step.run()
        : problem(405, "%s is not possible here, only %s".formatted(request.method(), method));
  }

  private void index(JsonGenerator out) {
    out.writeStartObject();
    out.writeStringProperty("GET users", "who may sign in, with their made-up secrets");
    out.writeStringProperty("GET counters", "who sent what, what became of it, rows stored");
    out.writeStringProperty("GET requests?last=100", "the last requests");
    out.writeStringProperty("GET limits", "what service protection allows");
    out.writeStringProperty("PATCH limits", "changes: {\"requests\": 600, \"window\": \"30s\"}");
    out.writeStringProperty("GET faults", "what goes wrong");
    out.writeStringProperty(
        "PUT faults", "all rules: [{\"kind\": \"deadlock\", \"rate\": 0.01, \"count\": 5}]");
    out.writeStringProperty("DELETE tokens", "all tokens given out so far expire");
    out.writeStringProperty("GET tables/NAME", "all rows of a table, as one list per row");
    out.writeStringProperty("DELETE tables/NAME", "forgets all rows of a table");
    out.writeEndObject();
  }

  private void users(JsonGenerator out) {
    out.writeStartArray();
    for (ApplicationUser user : environment.options().users()) {
      out.writeStartObject();
      out.writeStringProperty("name", user.name());
      out.writeStringProperty("tenant", EnvironmentOptions.TENANT.toString());
      out.writeStringProperty("clientId", user.clientId().toString());
      out.writeStringProperty("secret", user.secret());
      out.writeStringProperty("userId", user.userId().toString());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private void counters(JsonGenerator out) {
    Counters counters = environment.counters();
    out.writeStartObject();
    out.writeName("users");
    out.writeStartArray();
    for (Counters.OfUser user : counters.users()) {
      out.writeStartObject();
      out.writeStringProperty("name", user.user());
      out.writeNumberProperty("sent", user.sent());
      out.writeNumberProperty("accepted", user.accepted());
      out.writeName("rejected");
      out.writeStartObject();
      user.rejected().forEach((facet, count) -> out.writeNumberProperty(name(facet), count));
      out.writeEndObject();
      out.writeNumberProperty("pressed", user.pressed());
      out.writeNumberProperty("inFlight", user.inFlight());
      out.writeName("operations");
      out.writeStartObject();
      user.operations()
          .forEach((operation, count) -> out.writeNumberProperty(operation.wireName(), count));
      out.writeEndObject();
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeNumberProperty("unauthorized", counters.unauthorized());
    out.writeName("statuses");
    out.writeStartObject();
    counters
        .statuses()
        .forEach((status, count) -> out.writeNumberProperty(String.valueOf(status), count));
    out.writeEndObject();
    out.writeName("faults");
    out.writeStartObject();
    counters.faults().forEach((kind, count) -> out.writeNumberProperty(kind.wireName(), count));
    out.writeEndObject();
    out.writeName("rows");
    out.writeStartObject();
    counters.rows().forEach(out::writeNumberProperty);
    out.writeEndObject();
    out.writeEndObject();
  }

  private static String name(Facet facet) {
    return facet.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private Response requests(Request request) {
    String last = PercentText.fields(request.query()).getOrDefault("last", "100");
    int most;
    try {
      most = Integer.parseInt(last);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("last is '%s', but must be a number".formatted(last), e);
    }
    List<RequestRecord> records = environment.requests(Math.max(0, most));
    return ok(
        out -> {
          out.writeStartArray();
          for (RequestRecord record : records) {
            Operation operation = record.operation();
            out.writeStartObject();
            out.writeNumberProperty("number", record.number());
            out.writeNumberProperty("arrived", record.arrived());
            out.writeStringProperty("user", record.user());
            out.writeNumberProperty("server", record.server());
            out.writeStringProperty("operation", operation.wireName());
            out.writeStringProperty("table", record.table());
            out.writeNumberProperty("rows", record.rows());
            out.writeNumberProperty("status", record.status());
            Facet facet = record.facet();
            FaultKind fault = record.fault();
            out.writeStringProperty("facet", facet == null ? null : name(facet));
            out.writeStringProperty("fault", fault == null ? null : fault.wireName());
            out.writeNumberProperty("executionMillis", record.executionTime().toNanos() / 1e6);
            out.writeEndObject();
          }
          out.writeEndArray();
        });
  }

  private Response limits(Request request) {
    switch (request.method()) {
      case "GET" -> {}
      case "PATCH", "POST" ->
          environment.limit(
              Settings.limits(
                  environment.limits(), settings(MAPPER.readTree(request.body()), "limits")));
      default -> {
        return problem(405, "only GET and PATCH are possible here");
      }
    }
    ProtectionOptions limits = environment.limits();
    return ok(
        out -> {
          out.writeStartObject();
          out.writeNumberProperty("requests", limits.requests());
          out.writeStringProperty("execution-time", limits.executionTime().toMillis() + "ms");
          out.writeStringProperty("window", limits.window().toMillis() + "ms");
          out.writeNumberProperty("concurrent", limits.concurrent());
          out.writeStringProperty(
              "charging", limits.charging().name().toLowerCase(Locale.ROOT).replace('_', '-'));
          out.writeBooleanProperty("shared", limits.shared());
          out.writeStringProperty("shortest-wait", limits.shortestWait().toMillis() + "ms");
          out.writeStringProperty("longest-wait", limits.longestWait().toMillis() + "ms");
          out.writeStringProperty("press", limits.press().toMillis() + "ms");
          out.writeBooleanProperty("concurrency-locks", limits.concurrencyLocks());
          out.writeEndObject();
        });
  }

  private Response faults(Request request) {
    switch (request.method()) {
      case "GET" -> {}
      case "DELETE" -> environment.strike(List.of());
      case "PUT", "POST" -> environment.strike(rules(MAPPER.readTree(request.body())));
      default -> {
        return problem(405, "only GET, PUT and DELETE are possible here");
      }
    }
    List<FaultRule> rules = environment.faults();
    return ok(
        out -> {
          out.writeStartArray();
          for (FaultRule rule : rules) {
            Operation operation = rule.operation();
            out.writeStartObject();
            out.writeStringProperty("kind", rule.kind().wireName());
            out.writeNumberProperty("rate", rule.rate());
            out.writeNumberProperty("skip", rule.skip());
            out.writeNumberProperty("count", rule.count());
            out.writeStringProperty("operation", operation == null ? null : operation.wireName());
            out.writeStringProperty("table", rule.table());
            out.writeNumberProperty("from-rows", rule.fromRows());
            out.writeStringProperty("duration", rule.duration().toMillis() + "ms");
            out.writeEndObject();
          }
          out.writeEndArray();
        });
  }

  private List<FaultRule> rules(JsonNode list) {
    if (!list.isArray()) {
      throw new IllegalArgumentException("faults must be a list of rules");
    }
    List<FaultRule> rules = new ArrayList<>();
    for (JsonNode rule : list) {
      Map<String, String> settings = settings(rule, "a rule");
      String kind = settings.remove("kind");
      if (kind == null) {
        throw new IllegalArgumentException("a rule needs a 'kind'");
      }
      FaultRule fault = Settings.fault(kind, settings);
      if (fault.table() != null) {
        TableSchema unused = environment.table(fault.table());
      }
      rules.add(fault);
    }
    return rules;
  }

  private static Map<String, String> settings(JsonNode node, String what) {
    if (!node.isObject()) {
      throw new IllegalArgumentException(what + " must be an object of names and values");
    }
    Map<String, String> settings = new LinkedHashMap<>();
    node.properties()
        .forEach(
            property -> {
              JsonNode value = property.getValue();
              if (value.isContainer()) {
                throw new IllegalArgumentException(
                    "%s is %s, but must be a text, a number or true or false"
                        .formatted(property.getKey(), value));
              }
              if (!value.isNull()) {
                settings.put(property.getKey(), value.asString());
              }
            });
    return settings;
  }

  private Response table(Request request, String[] segments) {
    if (segments.length != 2) {
      return problem(404, "name a table: /simulator/tables/account");
    }
    TableSchema table = environment.table(segments[1]);
    if (request.method().equals("DELETE")) {
      environment.clear(table.name());
      return Response.of(204, new Headers());
    }
    return only(
        request,
        "GET",
        () -> {
          List<@Nullable Object[]> rows = environment.cells(table);
          return ok(
              out -> {
                out.writeStartObject();
                out.writeName("columns");
                out.writeStartArray();
                table.columns().stream().map(Column::readName).forEach(out::writeString);
                out.writeEndArray();
                out.writeName("rows");
                out.writeStartArray();
                for (@Nullable Object[] cells : rows) {
                  out.writeStartArray();
                  for (Object cell : cells) {
                    RowWriter.value(out, cell);
                  }
                  out.writeEndArray();
                }
                out.writeEndArray();
                out.writeEndObject();
              });
        });
  }

  private static Response ok(Json.Text text) {
    return Response.of(200, Headers.of("Content-Type", "application/json"), Json.bytes(text));
  }

  private static Response problem(int status, String message) {
    return Response.of(
        status,
        Headers.of("Content-Type", "application/json"),
        Json.bytes(
            out -> {
              out.writeStartObject();
              out.writeStringProperty("problem", message);
              out.writeEndObject();
            }));
  }
}

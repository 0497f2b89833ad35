package dev.sluice.cli;

import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.dataverse.table.Column;
import dev.sluice.dataverse.table.Table;
import dev.sluice.dataverse.table.Table.BulkMessage;
import dev.sluice.dataverse.webapi.WhoAmI;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a probe found.
 *
 * @param contacts of every identity, in the order of the configuration
 * @param table as the service describes it; null if none was asked for
 * @param policy null if nobody signed in
 * @param plan null if nobody signed in
 * @param assumedServers whether the number of servers is a guess
 */
record ProbeReport(
    URI environment,
    List<Contact> contacts,
    @Nullable Table table,
    @Nullable PolicyPlan policy,
    @Nullable CapacityPlan plan,
    boolean assumedServers) {

  /**
   * How an identity was received.
   *
   * @param who it is; null if it was not let in
   * @param end {@link ExitCode#DONE} if it was let in
   * @param problem what went wrong; empty if nothing did
   */
  record Contact(String name, @Nullable WhoAmI who, ExitCode end, String problem) {}

  /** The end of the first identity that was not let in; done if all were. */
  ExitCode end() {
    return contacts.stream()
        .map(Contact::end)
        .filter(end -> end != ExitCode.DONE)
        .findFirst()
        .orElse(ExitCode.DONE);
  }

  private Optional<UUID> organization() {
    return contacts.stream()
        .map(Contact::who)
        .flatMap(Stream::ofNullable)
        .map(WhoAmI::organizationId)
        .findFirst();
  }

  /** For people. */
  void print(PrintWriter out) {
    out.printf("%s%n", environment);
    organization().ifPresent(id -> out.printf("  organization  %s%n", id));
    for (Contact contact : contacts) {
      WhoAmI who = contact.who();
      out.printf(
          "  %-12s  %s%n",
          contact.name(),
          who == null
              ? contact.end().meaning() + ": " + contact.problem()
              : "user %s, %d requests at once recommended"
                  .formatted(who.userId(), who.recommendedDegree()));
    }
    if (table != null) {
      print(out, table);
    }
    if (policy != null) {
      out.printf("%npolicy %s%n", policy.sentence());
    }
    if (plan != null) {
      print(out, plan);
    }
    out.flush();
  }

  private static void print(PrintWriter out, Table table) {
    out.printf("%n%s (%s)%n", table.logicalName(), table.entitySet());
    out.printf(
        "  kind          %s%n",
        table.elastic()
            ? "elastic: each row of a batch by itself"
            : "standard: a batch goes in whole or not at all");
    out.printf("  columns       %d that can be written%n", table.columns().size());
    out.printf(
        "  keys          %s%n",
        Stream.concat(Stream.of(List.of(table.primaryId())), table.keys().stream())
            .map(columns -> String.join(" + ", columns))
            .collect(Collectors.joining(", ")));
    out.printf(
        "  bulk          %s%n",
        table.bulk().isEmpty() ? "none: $batch is used" : String.join(", ", messages(table)));
    if (!table.bulk().isEmpty() && table.bulk().size() < BulkMessage.values().length) {
      out.printf("                $batch is used for the others%n");
    }
    out.printf("%n");
    for (Column column : table.columns()) {
      out.printf("  %-28s  %s%n", column.logicalName(), column.description());
    }
  }

  private void print(PrintWriter out, CapacityPlan plan) {
    out.printf(
        "%n%,d rows take %s at best: %,.0f rows/s%n",
        plan.rows(), words(plan.duration()), plan.rowsPerSecond());
    out.printf(
        "  requests      %,d, each of %d rows in %s s (assumed; --seconds-per-batch)%n",
        plan.requests(), plan.batchSize(), plan.secondsPerBatch());
    out.printf(
        "  users         %d, each on %d %s%s%n",
        plan.users(),
        plan.servers(),
        plan.servers() == 1 ? "server" : "servers",
        assumedServers ? " (assumed; --servers)" : "");
    out.printf("  what binds    %s%n", bound(plan));
    out.printf(
        "  to be faster  each further user adds %,.0f rows/s in the long run%n",
        plan.sustainedByOneUser());
  }

  private static String bound(CapacityPlan plan) {
    QuotaOptions limits = plan.limits();
    String window = words(limits.window());
    return switch (plan.bound()) {
      case REQUESTS ->
          "%,d requests in %s, per user and server".formatted(limits.requests(), window);
      case EXECUTION_TIME ->
          "%,d s of execution time in %s, per user and server"
              .formatted(limits.executionTime().toSeconds(), window);
      case CONCURRENT -> "%d requests at once, per user".formatted(plan.atOnce());
    };
  }

  /** For programs: one object. */
  String json() {
    ObjectNode report = JsonMapper.shared().createObjectNode();
    report.put("environment", environment.toString());
    organization().ifPresent(id -> report.put("organization", id.toString()));
    ArrayNode identities = report.putArray("identities");
    for (Contact contact : contacts) {
      ObjectNode identity = identities.addObject().put("name", contact.name());
      identity.put("signedIn", contact.who() != null);
      WhoAmI who = contact.who();
      if (who == null) {
        identity.put("exitCode", contact.end().number()).put("problem", contact.problem());
      } else {
        identity.put("userId", who.userId().toString());
        identity.put("businessUnitId", who.businessUnitId().toString());
        identity.put("recommendedParallelism", who.recommendedDegree());
      }
    }
    if (table != null) {
      add(report.putObject("table"), table);
    }
    if (policy != null) {
      report.set("policy", policy.json());
    }
    if (plan != null) {
      add(report.putObject("plan"), plan);
    }
    return report.toString();
  }

  private static void add(ObjectNode json, Table table) {
    json.put("name", table.logicalName()).put("entitySet", table.entitySet());
    json.put("elastic", table.elastic()).put("columns", table.columns().size());
    json.put("primaryKey", table.primaryId());
    ArrayNode keys = json.putArray("keys");
    for (List<String> columns : table.keys()) {
      columns.forEach(keys.addArray()::add);
    }
    messages(table).forEach(json.putArray("bulk")::add);
    ArrayNode writable = json.putArray("writable");
    table.columns().forEach(column -> add(writable.addObject(), column));
  }

  private static void add(ObjectNode json, Column column) {
    json.put("name", column.logicalName()).put("label", column.label());
    json.put("type", column.type().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    json.put("required", column.required());
    json.put("create", column.creatable()).put("update", column.updatable());
    if (column.maxLength() > 0) {
      json.put("maxLength", column.maxLength());
    }
    column.range().ifPresent(range -> json.put("min", range.least()).put("max", range.most()));
    if (!column.options().isEmpty()) {
      column.options().forEach(json.putObject("options")::put);
    }
    if (!column.targets().isEmpty()) {
      ArrayNode targets = json.putArray("targets");
      column.targets().forEach(target -> targets.add(target.table()));
    }
  }

  private void add(ObjectNode json, CapacityPlan plan) {
    json.put("rows", plan.rows()).put("requests", plan.requests());
    json.put("batchSize", plan.batchSize()).put("secondsPerBatch", plan.secondsPerBatch());
    json.put("users", plan.users()).put("servers", plan.servers());
    json.put("serversAssumed", assumedServers).put("atOncePerUser", plan.atOnce());
    json.put("seconds", plan.duration().toMillis() / 1_000.0);
    json.put("rowsPerSecond", plan.rowsPerSecond());
    json.put("rowsPerSecondPerUser", plan.sustainedByOneUser());
    json.put("boundBy", plan.bound().wireName());
  }

  /** The bulk messages as the service spells them. */
  private static List<String> messages(Table table) {
    return table.bulk().stream().sorted().map(ProbeReport::spelled).toList();
  }

  private static String spelled(BulkMessage message) {
    return Stream.of(message.name().split("_", -1))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }

  private static String words(Duration time) {
    if (time.toMinutes() == 0) {
      return "%.1f s".formatted(time.toMillis() / 1_000.0);
    }
    return time.toHours() == 0
        ? "%d min %d s".formatted(time.toMinutes(), time.toSecondsPart())
        : "%d h %d min".formatted(time.toHours(), time.toMinutesPart());
  }
}

package dev.sluice.cli;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.PolicyName;
import dev.sluice.control.policy.Figures;
import dev.sluice.control.policy.Policy;
import dev.sluice.control.quota.Observed;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.quota.QuotaPolicy;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.webapi.WhoAmI;
import java.util.Collection;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The policy in force, and how a load begins under it.
 *
 * @param startsWith requests at once of each user
 * @param most requests at once of each user that it may ever come to
 */
record PolicyPlan(
    PolicyName policy,
    AdaptiveRateOptions rate,
    int users,
    int startsWith,
    int most,
    QuotaOptions limits) {

  /** The plan for those who have signed in, by the smallest number that is recommended to them. */
  static PolicyPlan of(DataverseOptions options, Collection<WhoAmI> users) {
    int recommended = users.stream().mapToInt(WhoAmI::recommendedDegree).min().orElse(1);
    Policy policy =
        LaneOptions.dataverse(
                options.adaptiveRate(),
                options.resilience(),
                options.pool(),
                Observed.recommending(recommended),
                options.limits())
            .policy()
            .create(0);
    return new PolicyPlan(
        options.adaptiveRate().policy().orElse(PolicyName.QUOTA),
        options.adaptiveRate(),
        users.size(),
        policy instanceof QuotaPolicy quota ? quota.firstAtOnce() : policy.level(0),
        policy.search(0).max(),
        options.limits());
  }

  /** For people; numbers are those of one user on one server. */
  String sentence() {
    return policy.wireName()
        + ": "
        + (users == 1 ? "1 user" : users + " users")
        + switch (policy) {
          case QUOTA -> quota();
          case AIMD ->
              ", starts at %d at once, searches up to %d, preset %s"
                  .formatted(startsWith, most, rate.preset().wireName());
          case FIXED -> ", always %d at once".formatted(most);
        };
  }

  private String quota() {
    return String.format(
        Locale.ROOT,
        "%s, starts at %d at once, %,d s of execution time per %s",
        servers(),
        startsWith,
        limits.executionTime().toSeconds(),
        Figures.time(limits.window().toNanos()));
  }

  private String servers() {
    if (limits.servers().isEmpty()) {
      return ", servers unknown";
    }
    int number = limits.servers().getAsInt();
    return number == 1 ? " × 1 server" : " × %d servers".formatted(number);
  }

  /** For programs. */
  ObjectNode json() {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("name", policy.wireName()).put("plan", sentence());
    json.put("users", users);
    limits.servers().ifPresent(servers -> json.put("servers", servers));
    json.put("startsAtOncePerUser", startsWith).put("mostAtOncePerUser", most);
    if (policy == PolicyName.AIMD) {
      json.put("preset", rate.preset().wireName());
    }
    if (policy == PolicyName.QUOTA) {
      json.put("executionSeconds", limits.executionTime().toMillis() / 1_000.0);
      json.put("requests", limits.requests());
      json.put("windowSeconds", limits.window().toMillis() / 1_000.0);
    }
    return json;
  }
}

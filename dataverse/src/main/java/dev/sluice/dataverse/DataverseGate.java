package dev.sluice.dataverse;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.quota.Observed;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.quota.QuotaProfile;
import dev.sluice.dataverse.pinning.Pinning;
import dev.sluice.dataverse.service.Routes;
import dev.sluice.gate.Gate;
import dev.sluice.gate.GateBuilder;
import dev.sluice.gate.time.Time;
import java.util.Collection;
import java.util.Map;

/**
 * Builds the gate before an environment, with one lane per identity, or per identity and web
 * server, and knows where each lane leads.
 */
public final class DataverseGate {
  private final DataverseOptions options;
  private final Pinning pinning;
  private final Recommendations recommended;

  /** For one client with these options. */
  public DataverseGate(DataverseOptions options) {
    this.options = requireNonNull(options, "options");
    this.pinning = new Pinning(options.pinned());
    this.recommended = new Recommendations(pinning);
  }

  /** Where lanes lead. Every answer is told to it, also those before the gate is opened. */
  public Routes routes() {
    return recommended;
  }

  /** Opens the gate for those identities that have signed in. Called once. */
  public Gate open(Collection<String> identities, Time time) {
    GateBuilder builder = Gate.builder().time(time).options(options.pool());
    for (QuotaProfile earlier : options.learned().values()) {
      recommended.remember(earlier.roundTrip());
    }
    for (String name : identities) {
      Observed observed = recommended.to(name);
      LaneOptions anyServer = lane(observed, options.limits());
      LaneOptions oneServer = lane(observed, options.limits().withServers(1));
      builder.lane(
          name,
          pinning.add(
              name,
              anyServer,
              oneServer,
              options.limits(),
              observed,
              options.learned().getOrDefault(name, QuotaProfile.NONE),
              time.nanos()));
    }
    Gate gate = builder.build();
    pinning.open(gate);
    return gate;
  }

  /** What was learned of each identity, for the options of whoever uses it next. */
  public Map<String, QuotaProfile> learned(long now) {
    return pinning.learned(now);
  }

  private LaneOptions lane(Observed observed, QuotaOptions limits) {
    return LaneOptions.dataverse(
        options.adaptiveRate(), options.resilience(), options.pool(), observed, limits);
  }
}

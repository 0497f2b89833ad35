package dev.sluice.dataverse.webapi;

import static java.util.Objects.requireNonNull;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.dataverse.service.Calls;
import dev.sluice.dataverse.service.Service;
import dev.sluice.gate.Gate;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.WebAnswer;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * Who an identity is in an environment, and how much it should do at once there. Immutable.
 *
 * @param userId the application user
 * @param businessUnitId where it belongs
 * @param organizationId the environment's own id
 * @param recommendedDegree how many requests at a time the service recommends, 1 to {@value #MOST};
 *     {@value #UNTOLD} if it does not say
 */
public record WhoAmI(UUID userId, UUID businessUnitId, UUID organizationId, int recommendedDegree) {
  /** The most requests at a time that service protection lets a user have. */
  public static final int MOST = 52;

  /** What one web server can bear for ever: 1,200 s of work in 300 s. */
  public static final int UNTOLD = 4;

  private static final String HINT = "x-ms-dop-hint";

  public WhoAmI {
    requireNonNull(userId, "userId");
    requireNonNull(businessUnitId, "businessUnitId");
    requireNonNull(organizationId, "organizationId");
    if (recommendedDegree < 1 || recommendedDegree > MOST) {
      throw new IllegalArgumentException(
          "recommendedDegree is %d, but must be 1 to %d (requests at a time)"
              .formatted(recommendedDegree, MOST));
    }
  }

  /**
   * Asks as one identity, before there is a gate: how many lanes and slots that has, this decides.
   *
   * @throws IOException if no answer came, or one that says why not
   */
  public static WhoAmI ask(Service service, String identity, Time time)
      throws IOException, InterruptedException {
    try (Gate gate = Gate.builder().lane(identity, LaneOptions.fixed(1)).time(time).build()) {
      Calls.Outcome outcome =
          Calls.through(gate, service).read(service.getOwn(service.address("WhoAmI")));
      JsonNode body = outcome.json();
      return new WhoAmI(
          id(body, "UserId"),
          id(body, "BusinessUnitId"),
          id(body, "OrganizationId"),
          recommendedDegree(outcome.answer()));
    }
  }

  /**
   * What an answer recommends, brought between 1 and {@value #MOST}; {@value #UNTOLD} if it does
   * not say. Every answer may, and the number changes over time.
   */
  public static int recommendedDegree(WebAnswer answer) {
    return toldDegree(answer).orElse(UNTOLD);
  }

  /** The same, if the answer says anything. */
  public static OptionalInt toldDegree(WebAnswer answer) {
    String hint = answer.headers().firstValue(HINT).orElse("").strip();
    try {
      return OptionalInt.of(Math.clamp(Long.parseLong(hint), 1, MOST));
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }

  private static UUID id(JsonNode body, String name) throws IOException {
    try {
      return UUID.fromString(body.path(name).asString(""));
    } catch (IllegalArgumentException e) {
      throw new IOException("the service's WhoAmI tells no " + name, e);
    }
  }
}

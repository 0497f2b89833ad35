package dev.sluice.simulator.dataverse.webapi;

import dev.sluice.simulator.dataverse.odata.Preferences;
import dev.sluice.simulator.http.Request;
import java.util.UUID;

/**
 * A request with what is known about it.
 *
 * @param request as it came
 * @param root the address of the Web API as the client knows it, without a slash at the end
 * @param caller who sent it
 * @param preferences what its sender would like
 */
public record Call(Request request, String root, Caller caller, Preferences preferences) {

  /**
   * Who sends requests.
   *
   * @param user its id as a user
   * @param businessUnit where it belongs
   * @param organization the environment
   */
  public record Caller(UUID user, UUID businessUnit, UUID organization) {}

  /** A request of this caller. */
  public static Call of(Request request, String root, Caller caller) {
    return new Call(request, root, caller, Preferences.of(request.headers()));
  }

  /** Another request of the same caller to the same place. */
  Call part(Request other) {
    return of(other, root, caller);
  }

  /** The condition that the row must be there, or have this version; empty without one. */
  String ifMatch() {
    String value = request.headers().first("If-Match");
    return value == null || value.equals("null") ? "" : value;
  }

  /** The condition that the row must not be there, or not have this version; empty without one. */
  String ifNoneMatch() {
    String value = request.headers().first("If-None-Match");
    return value == null || value.equals("null") ? "" : value;
  }
}

package dev.sluice.simulator.provider.http;

import dev.sluice.simulator.provider.OpaqueService;
import dev.sluice.simulator.provider.http.LoggedRequest.PathClass;
import java.util.List;
import java.util.Locale;

/**
 * Where a call leads.
 *
 * @param path what kind of thing it asks for
 * @param object the key of the item that it asks for; none if it asks for no one item
 */
record Route(PathClass path, long object) {

  static Route of(Call call, Target target) {
    List<String> segments = target.segments();
    if (segments.equals(List.of("oauth", "token"))) {
      allow(call, "POST");
      return new Route(PathClass.TOKEN, OpaqueService.NO_OBJECT);
    }
    Route route = reading(segments);
    allow(call, "GET", "HEAD");
    return route;
  }

  private static Route reading(List<String> segments) {
    if (segments.isEmpty()) {
      return new Route(PathClass.OTHER, OpaqueService.NO_OBJECT);
    }
    if (segments.equals(List.of("items"))) {
      return new Route(PathClass.LIST, OpaqueService.NO_OBJECT);
    }
    if (segments.getFirst().equals("items") && segments.get(1).matches("[0-9]{1,15}")) {
      long id = Long.parseLong(segments.get(1));
      if (segments.size() == 2) {
        return new Route(PathClass.DETAIL, id);
      }
      if (segments.size() == 3 && segments.get(2).equals("comments")) {
        return new Route(PathClass.COMMENTS, id);
      }
    }
    throw new MistakenCall(
        404, "not_found", "there is nothing here; try /items, /items/1 or /items/1/comments");
  }

  private static void allow(Call call, String... methods) {
    if (!List.of(methods).contains(call.method())) {
      throw new MistakenCall(405, "method_not_allowed", String.join(", ", methods));
    }
  }

  /** What there is, for whoever looks at the root. */
  static Reply index(ProviderOptions options) {
    return Reply.json(
        200,
        Json.write(
            Json.object(
                "service",
                "simulated provider",
                "items",
                "/items",
                "detail",
                "/items/{id}",
                "comments",
                "/items/{id}/comments",
                "control",
                "/control",
                "paging",
                options.paging().name().toLowerCase(Locale.ROOT),
                "credentials",
                options.credentials().kind().name().toLowerCase(Locale.ROOT))));
  }

  /** The beginning of addresses in answers: as the client called us; nothing if it did not say. */
  static String base(Call call) {
    return call.header("Host")
        .filter(host -> host.matches("[A-Za-z0-9.:\\[\\]-]{1,255}"))
        .map(host -> "http://" + host)
        .orElse("");
  }
}

package dev.sluice.simulator.dataverse.webapi;

import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.odata.Json;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Response;

/** Answers in the form that the Web API gives them. */
public final class Answers {
  private static final String JSON = "application/json; odata.metadata=minimal";

  private Answers() {}

  /** Done, and nothing to say. */
  static Response noContent() {
    return Response.of(204, Headers.of("OData-Version", "4.0"));
  }

  /** Done to the row with this address. */
  static Response noContent(String entityId) {
    return Response.of(
        204, Headers.of("OData-Version", "4.0", "Location", entityId, "OData-EntityId", entityId));
  }

  /** An answer in JSON. */
  public static Response json(int status, Json.Text text) {
    return Response.of(
        status, Headers.of("Content-Type", JSON, "OData-Version", "4.0"), Json.bytes(text));
  }

  /**
   * A refusal.
   *
   * @param annotated whether the client asked for annotations
   */
  public static Response error(WebApiException error, boolean annotated) {
    return json(
        error.status(),
        out -> {
          out.writeStartObject();
          out.writeName("error");
          out.writeStartObject();
          out.writeStringProperty("code", error.code());
          out.writeStringProperty("message", error.text());
          String rows = error.rowDetails();
          if (annotated) {
            String prefix = "@Microsoft.PowerApps.CDS.ErrorDetails.";
            out.writeStringProperty(prefix + "OperationStatus", "0");
            out.writeStringProperty(prefix + "SubErrorCode", "-2146233088");
            out.writeStringProperty(
                prefix + "ApiExceptionHttpStatusCode", String.valueOf(error.status()));
            if (rows != null) {
              out.writeStringProperty(prefix + "Plugin.BulkApiErrorDetails", rows);
            }
          }
          out.writeEndObject();
          out.writeEndObject();
        });
  }
}

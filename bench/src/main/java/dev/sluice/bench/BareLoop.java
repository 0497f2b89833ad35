package dev.sluice.bench;

import dev.sluice.dataverse.wire.RandomIds;
import dev.sluice.gate.time.Time;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What somebody would write in an afternoon: tasks that send one body after the other, without
 * journal, limits or repeats, and fail if anything but 200 comes back.
 */
final class BareLoop {
  private static final int ROWS = BesideBareLoop.ROWS;

  private final URI address;
  private final String token;
  private final Time time;
  private final SplittableRandom random = new SplittableRandom(2);

  BareLoop(URI address, String token, Time time) {
    this.address = address;
    this.token = token;
    this.time = time;
  }

  /** The next body of the file; null at its end. Called by one task at a time. */
  byte @Nullable [] body(BufferedReader lines) throws IOException {
    StringBuilder body = new StringBuilder(ROWS * 250).append("{\"Targets\":[");
    int rows = 0;
    while (rows < ROWS) {
      String line = lines.readLine();
      if (line == null) {
        break;
      }
      String[] cells = line.split(",", -1);
      body.append(rows++ == 0 ? "" : ",")
          .append("{\"@odata.type\":\"Microsoft.Dynamics.CRM.account\",\"accountid\":\"")
          .append(RandomIds.next(random))
          .append("\",\"name\":\"")
          .append(cells[0])
          .append("\",\"emailaddress1\":\"")
          .append(cells[1])
          .append("\",\"numberofemployees\":")
          .append(cells[2])
          .append(",\"revenue\":")
          .append(cells[3])
          .append(",\"creditonhold\":")
          .append(cells[4])
          .append('}');
    }
    return rows == 0 ? null : body.append("]}").toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Gives one body after the other, to several tasks; null if there are no more. */
  interface Bodies {
    byte @Nullable [] next() throws IOException;
  }

  /** As many tasks as may be in flight, each of which sends the next body. */
  void sendAll(Bodies bodies) throws InterruptedException {
    URI target = address.resolve("/api/data/v9.2/accounts/Microsoft.Dynamics.CRM.CreateMultiple");
    try (HttpClient client = HttpClient.newHttpClient()) {
      List<Time.Task> senders = new ArrayList<>();
      for (int i = 0; i < BesideBareLoop.IN_FLIGHT; i++) {
        senders.add(
            time.start(
                "sender",
                () -> {
                  try {
                    for (byte[] body = bodies.next(); body != null; body = bodies.next()) {
                      send(client, target, body);
                    }
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                }));
      }
      for (Time.Task sender : senders) {
        sender.join();
      }
    }
  }

  private void send(HttpClient client, URI target, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(target)
            .header("Authorization", token)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .header("OData-Version", "4.0")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    int status = client.send(request, HttpResponse.BodyHandlers.ofByteArray()).statusCode();
    if (status != 200) {
      throw new IllegalStateException("status " + status);
    }
  }
}

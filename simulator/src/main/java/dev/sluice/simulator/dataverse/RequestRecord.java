package dev.sluice.simulator.dataverse;

import dev.sluice.simulator.dataverse.webapi.Operation;
import dev.sluice.simulator.farm.Facet;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What became of one request of a user.
 *
 * @param number the number of the request, in order of their endings
 * @param arrived when it came, in monotonic nanoseconds of the environment's time
 * @param user the name of who sent it
 * @param server which server answered
 * @param operation what it asked for
 * @param table the table it was about; null if none or several
 * @param rows how many rows it carried
 * @param status the status of the answer; 0 if there was none
 * @param facet what refused it; null if it was let in
 * @param fault what struck it; null if nothing did
 * @param executionTime how long it took the server
 */
public record RequestRecord(
    long number,
    long arrived,
    String user,
    int server,
    Operation operation,
    @Nullable String table,
    int rows,
    int status,
    @Nullable Facet facet,
    @Nullable FaultKind fault,
    Duration executionTime) {}

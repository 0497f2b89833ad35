package dev.sluice.simulator.dataverse;

import dev.sluice.simulator.dataverse.webapi.Operation;
import dev.sluice.simulator.farm.Facet;
import java.util.List;
import java.util.Map;

/**
 * What has happened in an environment so far: the truth that a client's own figures are compared
 * with. Immutable.
 *
 * @param users by user, in the order of the options
 * @param unauthorized requests with no token that is accepted
 * @param statuses answers to users by status; 0 for connections that broke
 * @param faults requests that were struck, by what
 * @param rows rows stored, by table
 */
public record Counters(
    List<OfUser> users,
    long unauthorized,
    Map<Integer, Long> statuses,
    Map<FaultKind, Long> faults,
    Map<String, Integer> rows) {

  /**
   * What one user has sent, on all servers together.
   *
   * @param user its name
   * @param sent requests that came with its tokens
   * @param accepted those that were let in
   * @param rejected those that were not, by what refused them
   * @param pressed those among the rejected that came while told to wait, late enough to know
   * @param inFlight those that run now
   * @param operations those that came, by what they asked for
   */
  public record OfUser(
      String user,
      long sent,
      long accepted,
      Map<Facet, Long> rejected,
      long pressed,
      int inFlight,
      Map<Operation, Long> operations) {}
}

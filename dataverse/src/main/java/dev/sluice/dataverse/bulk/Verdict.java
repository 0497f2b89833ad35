package dev.sluice.dataverse.bulk;

import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.message.Operation;

/**
 * What to do with a composition that was refused as a whole, or of whose outcome nobody knows. Each
 * class of fault has its own count, so that a deadlock costs no attempt of an outage.
 */
sealed interface Verdict {

  /** How often a deadlock or a race to prepare the table is tried again as it is. */
  int CONTENDED_RETRIES = 3;

  /**
   * The same for a row by itself: it is in order, and rejecting it is worse than a minute's wait.
   */
  int CONTENDED_RETRIES_ALONE = 8;

  /** How often a request without an answer is tried again. */
  int UNKNOWN_RETRIES = 8;

  /** Its items are in, after all. */
  record Done() implements Verdict {}

  /** Send it again, exactly as it is, after a pause that grows with the number of tries. */
  record Again(int tries) implements Verdict {}

  /** Look whether it is in, then send it again if not. */
  record LookUp(int tries) implements Verdict {}

  /** Look whether it is in; if not, this. */
  record LookUpOnce(Verdict otherwise) implements Verdict {}

  /** Send its halves instead: some of it may pass. */
  record Halve(boolean tooMuch) implements Verdict {}

  /** Its only item is refused. */
  record Reject(Fault fault) implements Verdict {}

  /** The table does not take this message: use another for all that follows, and repeat. */
  record FallBack() implements Verdict {}

  /** The whole job cannot go on. */
  record Stop(BulkEnd end) implements Verdict {}

  /** Decides, and counts what happened. */
  static Verdict on(
      Fault fault, Composition composition, Operation operation, boolean allOrNothing) {
    boolean alone = composition.size() == 1;
    return switch (fault) {
      case Fault.UnknownOutcome unknown ->
          unknown(fault, composition, operation == Operation.CREATE && allOrNothing);
      case Fault.NotDataverse foreign ->
          unknown(fault, composition, operation == Operation.CREATE && allOrNothing);
      case Fault.Authentication refused -> new Again(composition.unauthorized());
      case Fault.Unsupported unsupported ->
          composition.contended() > CONTENDED_RETRIES ? reject(fault, alone) : new FallBack();
      case Fault.Deadlock deadlock -> contended(fault, composition, alone);
      case Fault.TablePreparation race -> contended(fault, composition, alone);
      case Fault.SqlTimeout timeout ->
          alone ? contended(fault, composition, true) : new Halve(true);
      case Fault.TooLarge large ->
          alone
              ? large.code().isEmpty() ? unknown(fault, composition, false) : new Reject(fault)
              : new Halve(true);
      case Fault.Privilege denied ->
          isForAll(denied) ? new Stop(new BulkEnd.Forbidden(denied)) : reject(fault, alone);
      case Fault.Duplicate duplicate ->
          allOrNothing && duplicate.ofPrimaryKey() && composition.maybeDone()
              ? repeated(fault, composition)
              : reject(fault, alone);
      case Fault.NotFound missing ->
          alone && operation == Operation.DELETE && composition.maybeDone()
              ? new Done()
              : reject(fault, alone);
      case Fault.Validation invalid -> reject(fault, alone);
      // The gate waits for these as often as it may, and refuses before they come here.
      case Fault.ServiceProtection held -> new Again(composition.contended());
      case Fault.Busy busy -> new Again(composition.contended());
    };
  }

  /** Two codes speak of a single row; a missing privilege, or a full disk, is the same for all. */
  static boolean isForAll(Fault.Privilege denied) {
    return !denied.code().equalsIgnoreCase("0x80048306")
        && !denied.code().equalsIgnoreCase("0x80048405");
  }

  /** On a repeat, a row with a key that we made is the one that we sent; another may be older. */
  private static Verdict repeated(Fault fault, Composition composition) {
    return composition.hasOurKeys()
        ? new Done()
        : new LookUpOnce(reject(fault, composition.size() == 1));
  }

  /** No connection was made, so nothing was done; nobody can tell when one will be. */
  static Verdict onNoConnection(Fault fault, Composition composition) {
    int tries = composition.notSent();
    return tries > UNKNOWN_RETRIES ? new Stop(new BulkEnd.Unreachable(fault)) : new Again(tries);
  }

  /** Nobody knows what came of it. */
  static Verdict unknown(Fault fault, Composition composition, boolean canLook) {
    int tries = composition.outcomeUnknown();
    if (tries > UNKNOWN_RETRIES) {
      return new Stop(new BulkEnd.Unreachable(fault));
    }
    return canLook ? new LookUp(tries) : new Again(tries);
  }

  private static Verdict contended(Fault fault, Composition composition, boolean alone) {
    int tries = composition.contended();
    int most = alone ? CONTENDED_RETRIES_ALONE : CONTENDED_RETRIES;
    return tries <= most ? new Again(tries) : reject(fault, alone);
  }

  private static Verdict reject(Fault fault, boolean alone) {
    return alone ? new Reject(fault) : new Halve(false);
  }
}

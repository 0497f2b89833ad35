package dev.sluice.dataverse.bulk;

import dev.sluice.dataverse.fault.Fault;
import dev.sluice.dataverse.message.Operation;

/**
 * What to do with a batch that was refused as a whole, or of whose outcome nobody knows. Each class
 * of fault has its own count, so that a deadlock costs no attempt of an outage.
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
  static Verdict on(Fault fault, Batch batch, Operation operation, boolean allOrNothing) {
    boolean alone = batch.size() == 1;
    return switch (fault) {
      case Fault.UnknownOutcome unknown ->
          unknown(fault, batch, operation == Operation.CREATE && allOrNothing);
      case Fault.NotDataverse foreign ->
          unknown(fault, batch, operation == Operation.CREATE && allOrNothing);
      case Fault.Authentication refused -> new Again(batch.unauthorized());
      case Fault.Unsupported unsupported ->
          batch.contended() > CONTENDED_RETRIES ? reject(fault, alone) : new FallBack();
      case Fault.Deadlock deadlock -> contended(fault, batch, alone);
      case Fault.TablePreparation race -> contended(fault, batch, alone);
      case Fault.SqlTimeout timeout -> alone ? contended(fault, batch, true) : new Halve(true);
      case Fault.TooLarge large ->
          alone
              ? large.code().isEmpty() ? unknown(fault, batch, false) : new Reject(fault)
              : new Halve(true);
      case Fault.Privilege denied ->
          isForAll(denied) ? new Stop(new BulkEnd.Forbidden(denied)) : reject(fault, alone);
      case Fault.Duplicate duplicate ->
          allOrNothing && duplicate.ofPrimaryKey() && batch.maybeDone()
              ? repeated(fault, batch)
              : reject(fault, alone);
      case Fault.NotFound missing ->
          alone && operation == Operation.DELETE && batch.maybeDone()
              ? new Done()
              : reject(fault, alone);
      case Fault.Validation invalid -> reject(fault, alone);
      // The gate waits for these as often as it may, and refuses before they come here.
      case Fault.ServiceProtection held -> new Again(batch.contended());
      case Fault.Busy busy -> new Again(batch.contended());
    };
  }

  /** Two codes speak of a single row; a missing privilege, or a full disk, is the same for all. */
  static boolean isForAll(Fault.Privilege denied) {
    return !denied.code().equalsIgnoreCase("0x80048306")
        && !denied.code().equalsIgnoreCase("0x80048405");
  }

  /** On a repeat, a row with a key that we made is the one that we sent; another may be older. */
  private static Verdict repeated(Fault fault, Batch batch) {
    return batch.hasOurKeys() ? new Done() : new LookUpOnce(reject(fault, batch.size() == 1));
  }

  /** No connection was made, so nothing was done; nobody can tell when one will be. */
  static Verdict onNoConnection(Fault fault, Batch batch) {
    int tries = batch.notSent();
    return tries > UNKNOWN_RETRIES ? new Stop(new BulkEnd.Unreachable(fault)) : new Again(tries);
  }

  /** Nobody knows what came of it. */
  static Verdict unknown(Fault fault, Batch batch, boolean canLook) {
    int tries = batch.outcomeUnknown();
    if (tries > UNKNOWN_RETRIES) {
      return new Stop(new BulkEnd.Unreachable(fault));
    }
    return canLook ? new LookUp(tries) : new Again(tries);
  }

  private static Verdict contended(Fault fault, Batch batch, boolean alone) {
    int tries = batch.contended();
    int most = alone ? CONTENDED_RETRIES_ALONE : CONTENDED_RETRIES;
    return tries <= most ? new Again(tries) : reject(fault, alone);
  }

  private static Verdict reject(Fault fault, boolean alone) {
    return alone ? new Reject(fault) : new Halve(false);
  }
}

package dev.sluice.runs.run;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** How a run ended. Stable wire names; immutable. */
public sealed interface Outcome {

  /** The stable name in events, metrics and stores. */
  String wireName();

  /** Whether the same work may be taken up where it stopped. */
  boolean resumable();

  /** Why, if there is more to say than the name. */
  default @Nullable Reason reason() {
    return null;
  }

  /** What exactly happened, for people; empty if there is nothing to add. */
  default String detail() {
    return "";
  }

  /** Everything is done. */
  record Completed() implements Outcome {
    @Override
    public String wireName() {
      return "completed";
    }

    @Override
    public boolean resumable() {
      return false;
    }
  }

  /** Everything has its outcome, and some items were refused for good. */
  record CompletedWithRejections() implements Outcome {
    @Override
    public String wireName() {
      return "completed_with_rejections";
    }

    @Override
    public boolean resumable() {
      return false;
    }
  }

  /** Everything that could be had is there; what is known to be missing is on record. */
  record CompletedWithGaps() implements Outcome {
    @Override
    public String wireName() {
      return "completed_with_gaps";
    }

    @Override
    public boolean resumable() {
      return true;
    }
  }

  /**
   * There is more to do, later.
   *
   * @param reason why not now
   * @param detail what exactly happened
   */
  record Deferred(Reason.Deferral reason, String detail) implements Outcome {
    public Deferred {
      requireNonNull(reason, "reason");
    }

    @Override
    public String wireName() {
      return "deferred";
    }

    @Override
    public boolean resumable() {
      return true;
    }
  }

  /**
   * It could not go on. Once the cause is mended, it may be taken up where it stopped.
   *
   * @param reason what has to be mended
   * @param detail what exactly happened
   */
  record Failed(Reason.Failure reason, String detail) implements Outcome {
    public Failed {
      requireNonNull(reason, "reason");
    }

    @Override
    public String wireName() {
      return "failed";
    }

    @Override
    public boolean resumable() {
      return true;
    }
  }

  /** Somebody stopped it. */
  record Cancelled() implements Outcome {
    @Override
    public String wireName() {
      return "cancelled";
    }

    @Override
    public boolean resumable() {
      return true;
    }
  }

  /** Another process is at it: neither a failure nor a success, and nothing was changed. */
  record AlreadyRunning() implements Outcome {
    @Override
    public String wireName() {
      return "already_running";
    }

    @Override
    public boolean resumable() {
      return true;
    }
  }

  /**
   * The outcome that was stored.
   *
   * @throws IllegalArgumentException if the names mean nothing, or not together
   */
  static Outcome of(String wireName, @Nullable String reason, @Nullable String detail) {
    String text = detail == null ? "" : detail;
    Reason why = reason == null ? null : Reason.named(reason);
    if (wireName.equals("deferred") && why instanceof Reason.Deferral deferral) {
      return new Deferred(deferral, text);
    } else if (wireName.equals("failed") && why instanceof Reason.Failure failure) {
      return new Failed(failure, text);
    }
    return switch (wireName) {
      case "completed" -> new Completed();
      case "completed_with_rejections" -> new CompletedWithRejections();
      case "completed_with_gaps" -> new CompletedWithGaps();
      case "cancelled" -> new Cancelled();
      case "already_running" -> new AlreadyRunning();
      default ->
          throw new IllegalArgumentException(
              "there is no outcome named '" + wireName + "' with the reason '" + reason + "'");
    };
  }
}

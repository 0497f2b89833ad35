package dev.sluice.control.policy;

/** One request between its start and its settlement, as a policy sees it. */
public interface Attempt {

  /** When it was granted, in monotonic nanoseconds. */
  long sentAt();

  /** What it does and how much of that is left. */
  Work work();

  /** Which server answered, where the service tells; empty if unknown or not answered yet. */
  String server();
}

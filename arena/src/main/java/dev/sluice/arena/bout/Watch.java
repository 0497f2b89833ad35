package dev.sluice.arena.bout;

/** Somebody who watches a bout, to draw it. Nothing that it does changes the bout. */
public interface Watch {
  /** Watches nothing. */
  Watch NOBODY = new Watch() {};

  /** Nothing happens between two times. */
  default void passing(long from, long until, Contender contender, World world) {}

  /** A request was sent. */
  default void sent(Sending sending, long now) {}

  /** An answer came. */
  default void answered(Sending sending, long now) {}
}

package dev.sluice.gate;

/** What becomes of a caller: it has its outcome at once, or must wait for it. */
sealed interface Entry permits Outcome, Waiter {}

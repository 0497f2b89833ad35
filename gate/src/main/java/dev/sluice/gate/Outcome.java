package dev.sluice.gate;

/** How an acquire ends: with a permit, or with a reason why not. */
sealed interface Outcome extends Entry permits Permit, Refusal {}

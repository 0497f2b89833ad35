package dev.sluice.cli;

/** What a command prints to standard output, in small letters because so it is typed. */
enum Output {
  /** For people. */
  text,
  /** For programs: one object. */
  json
}

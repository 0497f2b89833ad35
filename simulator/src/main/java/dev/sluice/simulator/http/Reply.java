package dev.sluice.simulator.http;

/** What comes back for a request: an answer, or nothing at all. */
public sealed interface Reply permits Response, Lost {}

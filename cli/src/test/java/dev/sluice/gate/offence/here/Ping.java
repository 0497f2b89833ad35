package dev.sluice.gate.offence.here;

import dev.sluice.gate.offence.there.Pong;

public record Ping(Pong pong) {}

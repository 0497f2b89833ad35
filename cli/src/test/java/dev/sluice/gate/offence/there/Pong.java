package dev.sluice.gate.offence.there;

import dev.sluice.gate.offence.here.Ping;
import org.jspecify.annotations.Nullable;

public record Pong(@Nullable Ping ping) {}

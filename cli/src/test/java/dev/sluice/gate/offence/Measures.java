package dev.sluice.gate.offence;

import io.micrometer.core.instrument.MeterRegistry;

record Measures(MeterRegistry registry) {}

package dev.sluice.gate.offence;

import dev.sluice.cli.ExitCode;

record UsesTheCommandLine(ExitCode code) {}

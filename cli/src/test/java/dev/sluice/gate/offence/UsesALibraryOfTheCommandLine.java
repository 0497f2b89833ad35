package dev.sluice.gate.offence;

import picocli.CommandLine.Command;

@Command
class UsesALibraryOfTheCommandLine {}

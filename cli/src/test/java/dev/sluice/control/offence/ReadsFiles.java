package dev.sluice.control.offence;

import java.nio.file.Path;

record ReadsFiles(Path file) {}

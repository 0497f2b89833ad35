// Drives the simulated environment with a client that was written for the real one, unmodified.
// Arguments: address, tenant, client id, secret. Prints one line per step that went well, and at
// last how many calls it made; ends with code 1 and a reason otherwise. Every call has its check.
import { counted } from "./harness.mjs";

// One after the other: later steps use what earlier ones made.
for (const steps of ["records", "queries", "messages"]) {
  await import(`./${steps}.mjs`);
}

console.log(`calls ${counted()}`);

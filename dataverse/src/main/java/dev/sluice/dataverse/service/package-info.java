/**
 * One environment, as its identities reach it: {@link dev.sluice.dataverse.service.Service} signs a
 * request, sends it once and reads what came back; {@link dev.sluice.dataverse.service.Calls} does
 * so through a gate, which waits and repeats.
 */
@NullMarked
package dev.sluice.dataverse.service;

import org.jspecify.annotations.NullMarked;

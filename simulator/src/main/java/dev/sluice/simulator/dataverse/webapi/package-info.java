/**
 * What the Web API does. {@link dev.sluice.simulator.dataverse.webapi.WebApi} understands a request
 * and makes a {@link dev.sluice.simulator.dataverse.webapi.Plan} of it, without doing anything yet;
 * {@link dev.sluice.simulator.dataverse.webapi.Runner} carries a plan out. In between the caller
 * may admit or refuse it, knowing how much work it is.
 */
@NullMarked
package dev.sluice.simulator.dataverse.webapi;

import org.jspecify.annotations.NullMarked;

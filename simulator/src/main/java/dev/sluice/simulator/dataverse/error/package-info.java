/**
 * The errors of the Web API: a {@link dev.sluice.simulator.dataverse.error.WebApiException} is what
 * a request is refused with, and {@link dev.sluice.simulator.dataverse.error.Errors} knows the
 * status, the code and the words of each.
 */
@NullMarked
package dev.sluice.simulator.dataverse.error;

import org.jspecify.annotations.NullMarked;

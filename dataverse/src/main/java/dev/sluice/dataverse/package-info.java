/**
 * What a client of Microsoft Dataverse is told: {@link dev.sluice.dataverse.DataverseOptions} name
 * the environment, and each {@link dev.sluice.dataverse.Identity} is an application user that
 * writes there.
 */
@NullMarked
package dev.sluice.dataverse;

import org.jspecify.annotations.NullMarked;

/**
 * Small questions and single records: {@link dev.sluice.dataverse.webapi.WhoAmI} is the first
 * contact of an identity, {@link dev.sluice.dataverse.webapi.Records} writes and reads one row, and
 * {@link dev.sluice.dataverse.webapi.Queries} reads many, page by page. All go through a gate.
 */
@NullMarked
package dev.sluice.dataverse.webapi;

import org.jspecify.annotations.NullMarked;

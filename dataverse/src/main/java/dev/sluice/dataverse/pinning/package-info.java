/**
 * One lane per application user and web server: {@link dev.sluice.dataverse.pinning.Pinning} finds
 * the servers by their affinity cookies, measures whether a cookie is followed, and gives up where
 * it is not; {@link dev.sluice.dataverse.pinning.Account} is what the lanes of one user share.
 */
@NullMarked
package dev.sluice.dataverse.pinning;

import org.jspecify.annotations.NullMarked;

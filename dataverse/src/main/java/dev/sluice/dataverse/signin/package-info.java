/**
 * How an identity signs in: a {@link dev.sluice.dataverse.signin.Credential} says with what, and
 * {@link dev.sluice.dataverse.signin.CertificateFiles} reads those that are files.
 */
@NullMarked
package dev.sluice.dataverse.signin;

import org.jspecify.annotations.NullMarked;

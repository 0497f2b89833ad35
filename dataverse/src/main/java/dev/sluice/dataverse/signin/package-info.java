/**
 * How an identity signs in: a {@link dev.sluice.dataverse.signin.Credential} says with what, a
 * {@link dev.sluice.dataverse.signin.TokenSource} gets a token for it, and a {@link
 * dev.sluice.dataverse.signin.TokenCache} keeps that token fresh for all who send as that identity.
 */
@NullMarked
package dev.sluice.dataverse.signin;

import org.jspecify.annotations.NullMarked;

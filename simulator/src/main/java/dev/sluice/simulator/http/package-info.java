/**
 * What simulated services have in common: a {@link dev.sluice.simulator.http.Service} answers a
 * plain {@link dev.sluice.simulator.http.Request} with a plain {@link
 * dev.sluice.simulator.http.Reply}, and a {@link dev.sluice.simulator.http.LoopbackServer} lets any
 * HTTP client talk to it, over TLS with a {@link dev.sluice.simulator.http.LoopbackCertificate} if
 * wanted. In simulated time the same service is called directly.
 */
@NullMarked
package dev.sluice.simulator.http;

import org.jspecify.annotations.NullMarked;

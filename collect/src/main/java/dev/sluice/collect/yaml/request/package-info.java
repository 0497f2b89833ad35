/**
 * One request and the page that it brings: a {@link dev.sluice.collect.yaml.request.RequestForm}
 * says how a stream is asked for, a {@link dev.sluice.collect.yaml.request.PageReader} what counts
 * as an answer.
 */
@NullMarked
package dev.sluice.collect.yaml.request;

import org.jspecify.annotations.NullMarked;

package dev.sluice.load.input;

import static java.util.Objects.requireNonNull;

import java.nio.charset.Charset;

/**
 * How an input turned out to be written, so that what is written beside it can look the same.
 *
 * @param delimiter what stands between the cells of a CSV file; a comma for JSON Lines
 * @param encoding how its characters are stored
 */
public record Layout(Format format, char delimiter, Charset encoding) {
  public Layout {
    requireNonNull(format, "format");
    requireNonNull(encoding, "encoding");
  }
}

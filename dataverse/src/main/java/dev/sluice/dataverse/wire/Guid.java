package dev.sluice.dataverse.wire;

import java.util.UUID;
import java.util.regex.Pattern;

/** Ids as people write them. */
public final class Guid {
  private static final Pattern FORM =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private Guid() {}

  /**
   * An id as configured. {@link UUID#fromString} alone takes {@code 1-1-1-1-1} for one.
   *
   * @param option what the id is called, for the message
   * @param meaning what it is the id of, for the message
   * @throws IllegalArgumentException if it is none
   */
  public static UUID of(String option, String text, String meaning) {
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "%s is '%s', but must be an id such as 6f1a3c52-0b7e-4d1c-9a55-2f8d0c4b7e10 (%s)"
              .formatted(option, text, meaning));
    }
    return UUID.fromString(text);
  }
}

package dev.sluice.dataverse.signin;

import java.io.IOException;

/**
 * The sign-in service refused a credential, and will refuse it again until somebody changes
 * something; the message says what.
 */
public final class SignInException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String code;

  /** With the service's code, such as {@code AADSTS7000215}; empty if it gave none. */
  public SignInException(String code, String message) {
    super(message);
    this.code = code;
  }

  /** The service's code, such as {@code AADSTS7000215}; empty if it gave none. */
  public String code() {
    return code;
  }
}

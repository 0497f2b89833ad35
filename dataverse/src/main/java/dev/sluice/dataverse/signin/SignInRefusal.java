package dev.sluice.dataverse.signin;

import dev.sluice.dataverse.signin.Credential.WorkloadIdentity;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * An error of the sign-in service.
 *
 * @param error its kind, such as {@code invalid_client}
 * @param number its number; 0 for none
 * @param description the service's words
 */
record SignInRefusal(String error, int number, String description) {
  private static final Pattern NUMBER = Pattern.compile("AADSTS(\\d{1,9})");

  static SignInRefusal of(JsonNode body) {
    String description = body.path("error_description").asString("");
    int number = body.path("error_codes").path(0).asInt(0);
    Matcher matcher = NUMBER.matcher(description);
    if (number == 0 && matcher.find()) {
      number = Integer.parseInt(matcher.group(1));
    }
    return new SignInRefusal(body.path("error").asString(""), number, description);
  }

  /** Whether it says nothing of what every refusal says: somebody else has answered. */
  boolean isUntold() {
    return error.isEmpty() && number == 0;
  }

  /** Whether trying again later may help. */
  boolean passing(int status) {
    return status == 429
        || status >= 500
        || number == 50_196
        || error.equals("temporarily_unavailable");
  }

  String code() {
    return number == 0 ? "" : "AADSTS" + number;
  }

  /** What the matter is, and what to do about it. */
  SignInException explained(Credential credential, String scope) {
    String what =
        switch (number) {
          case 7_000_215 ->
              "the secret of application %s is wrong; give the secret's value, not its id"
                  .formatted(credential.clientId());
          case 7_000_222 ->
              "the secret of application %s has expired; make a new one in the application's registration"
                  .formatted(credential.clientId());
          case 700_016 ->
              "there is no application %s in tenant %s; check the client id and the tenant"
                  .formatted(credential.clientId(), credential.tenant());
          case 90_002 ->
              "there is no tenant %s; check its id, and the authority if it belongs to another cloud"
                  .formatted(credential.tenant());
          case 7_000_218 ->
              "application %s wants a secret or a certificate; for a person's sign-in, allow public client flows in its registration"
                  .formatted(credential.clientId());
          case 700_027, 7_000_273 ->
              "application %s does not know this certificate, or it has expired; upload it to the application's registration"
                  .formatted(credential.clientId());
          case 700_021, 700_023 ->
              "the certificate's statement was not accepted for application %s; check the client id and the authority"
                  .formatted(credential.clientId());
          case 700_024 ->
              credential instanceof WorkloadIdentity workload
                  ? "the token in %s is outside its valid time; check that it is renewed there, and this machine's clock"
                      .formatted(workload.tokenFile())
                  : "this machine's clock is wrong, so its statements are not valid; set it";
          case 70_021, 700_211, 700_212, 700_213 ->
              "application %s has no federated credential that fits this token; compare issuer, subject and audience in its registration"
                  .formatted(credential.clientId());
          case 70_011, 1_002_012 ->
              "the scope %s is not valid; check the environment's address".formatted(scope);
          case 500_011 ->
              "tenant %s does not know the environment of %s; check the environment's address and the tenant"
                  .formatted(credential.tenant(), scope);
          default ->
              switch (error) {
                case "authorization_declined" -> "whoever was asked to sign in has declined";
                case "expired_token", "bad_verification_code" ->
                    "nobody signed in within the time allowed; start again and enter the new code";
                default -> "%s was refused".formatted(credential);
              };
        };
    String words = description.lines().findFirst().orElse(error);
    return new SignInException(code(), words.isEmpty() ? what : what + " (" + words + ")");
  }
}

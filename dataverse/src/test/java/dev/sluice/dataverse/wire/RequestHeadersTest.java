package dev.sluice.dataverse.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestHeadersTest {
  @ParameterizedTest
  @CsvSource({
    "Authorization, the identity signs requests with its token",
    "proxy-authorization, the connection sets it",
    "HOST, the connection sets it",
    "content-length, the connection sets it",
    "Transfer-Encoding, the connection sets it",
    "Content-Type, each request sets its own",
    "Content-Encoding, each request sets its own",
    "accept, each request sets its own",
    "Prefer, each request sets its own",
    "If-Match, each request sets its own",
    "OData-Version, each request sets its own",
    "x-ms-client-request-id, each request sets its own",
    "Cookie, pinned is for that",
    "CallerObjectId, caller is for that",
    "MSCRMCallerID, caller is for that",
    "MSCRM.BypassBusinessLogicExecution, bypass is for that",
    "mscrm.bypassbusinesslogicexecutionstepids, bypass is for that",
    "MSCRM.BypassCustomPluginExecution, bypass is for that",
    "MSCRM.SuppressCallbackRegistrationExpanderJob, bypass is for that",
    "MSCRM.SuppressDuplicateDetection, --duplicate-detection is for that"
  })
  void a_header_that_is_not_for_configurations_is_refused_with_the_reason(
      String name, String reason) {
    assertThatThrownBy(() -> new RequestHeaders(Map.of(name, "s3cr3t")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("headers.%s must not be set: %s", name, reason)
        .message()
        .doesNotContain("s3cr3t");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "X Key", "X:Key", ":path", "X\nKey", "Schlüssel", "X\u0000"})
  void a_name_is_one(String name) {
    assertThatThrownBy(() -> new RequestHeaders(Map.of(name, "s3cr3t")))
        .hasMessageContaining("is no name of a header, which has letters, digits and - alone")
        .message()
        .doesNotContain("s3cr3t", "\n", "\u0000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"s3cr3t\r\nX-Other: 1", "s3cr3t\n", "s3cr3t\u0000", "s3cr3t\u007f", "sécret"})
  void a_value_that_no_header_can_carry_is_refused_and_not_quoted(String value) {
    assertThatThrownBy(() -> new RequestHeaders(Map.of("X-Key", value)))
        .hasMessage(
            "headers.X-Key has control characters or others that no header carries; it takes"
                + " letters, digits, signs and spaces of ASCII alone");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  void a_value_is_there(String value) {
    assertThatThrownBy(() -> new RequestHeaders(Map.of("X-Key", value)))
        .hasMessage("headers.X-Key is empty, but must have a value");
  }

  @Test
  void the_case_of_a_name_does_not_make_another_header() {
    assertThatThrownBy(() -> new RequestHeaders(Map.of("X-Key", "1", "x-key", "2")))
        .hasMessageContaining("is given twice");
  }

  @Test
  void what_is_left_is_kept_and_only_names_are_printed() {
    RequestHeaders headers = new RequestHeaders(Map.of("Consistency", "Strong", "X-Key", "a\tb c"));
    assertThat(headers.all()).containsExactly("Consistency", "Strong", "X-Key", "a\tb c");
    assertThat(headers).hasToString("headers [Consistency, X-Key]");
  }
}

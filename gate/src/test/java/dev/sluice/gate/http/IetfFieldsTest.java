package dev.sluice.gate.http;

import static dev.sluice.gate.http.Answers.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.QuotaHint.Unit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IetfFieldsTest {

  @ParameterizedTest(name = "RateLimit: {0}")
  @ValueSource(strings = {"\"default\";r=50;t=30", "default;r=50;t=30"})
  void since_draft_08_an_item_gives_one_hint(String field) {
    List<QuotaHint> hints = read(200, "RateLimit: " + field).signal().quota();
    assertThat(hints).singleElement().satisfies(hint -> assertHint(hint, "default", -1, 50, 30, 0));
  }

  @Test
  void since_draft_08_policies_without_limits_give_hints_of_their_own() {
    List<QuotaHint> hints =
        read(200, "RateLimit-Policy: \"burst\";q=100;w=60,\"daily\";q=1000;w=86400")
            .signal()
            .quota();
    assertThat(hints).hasSize(2);
    assertHint(hints.get(0), "burst", 100, -1, 0, 60);
    assertHint(hints.get(1), "daily", 1000, -1, 0, 86400);
  }

  @Test
  void n8_limits_and_policies_are_joined_by_name() {
    List<QuotaHint> hints =
        read(
                200,
                "RateLimit-Policy: \"burst\";q=100;w=60,\"daily\";q=1000;w=86400",
                "RateLimit: \"daily\";r=900;t=4000, \"burst\";r=50;t=30, \"other\";r=1")
            .signal()
            .quota();
    assertThat(hints).hasSize(3);
    assertHint(hints.get(0), "daily", 1000, 900, 4000, 86400);
    assertHint(hints.get(1), "burst", 100, 50, 30, 60);
    assertHint(hints.get(2), "other", -1, 1, 0, 0);
  }

  @Test
  void n8_a_partition_is_joined_with_its_own_policy_first() {
    List<QuotaHint> hints =
        read(
                200,
                "RateLimit-Policy: \"a\";q=10;w=60, \"a\";q=20;w=60;pk=:YWJj:",
                "RateLimit: \"a\";r=5;pk=:YWJj:, \"a\";r=6;pk=:ZGVm:")
            .signal()
            .quota();
    assertHint(hints.get(0), "a", 20, 5, 0, 60);
    assertHint(hints.get(1), "a", 10, 6, 0, 60);
  }

  @Test
  void n2_list_fields_over_several_lines_are_one_list() {
    List<QuotaHint> hints =
        read(200, "RateLimit: \"a\";r=1;t=2", "RateLimit: \"b\";r=3;t=4").signal().quota();
    assertThat(hints).extracting(hint -> hint.scope().key()).containsExactly("a", "b");
  }

  @Test
  void a_name_may_contain_what_separates_items() {
    Reading reading = read(200, "RateLimit: \"a,b\";r=1;t=2");
    assertThat(reading.signal().quota())
        .singleElement()
        .satisfies(hint -> assertHint(hint, "a,b", -1, 1, 2, 0));
    assertThat(reading.flags()).isEmpty();
  }

  @ParameterizedTest(name = "RateLimit: {0}")
  @ValueSource(
      strings = {"\"x\";r=1,,", "\"x\";r=9999999999999999", "\"x\";r=1;é=2", "nonsense=\"", "a=1"})
  void n8_a_field_that_breaks_the_syntax_is_ignored_whole(String field) {
    Reading reading = read(200, "RateLimit: " + field);
    assertThat(reading.signal().quota()).isEmpty();
    assertThat(reading.flags()).containsExactly(Flag.HINT_MALFORMED);
  }

  @ParameterizedTest(name = "RateLimit: {0}")
  @ValueSource(
      strings = {
        "\"x\";r=1.5;t=2, \"y\";r=7;t=8",
        "\"x\";t=2, \"y\";r=7;t=8",
        "\"x\";r=1;t=\"2\", \"y\";r=7;t=8",
        "5;r=1;t=2, \"y\";r=7;t=8",
        "(\"x\" \"z\");r=1, \"y\";r=7;t=8"
      })
  void n8_an_item_whose_numbers_are_no_integers_is_dropped_alone(String field) {
    Reading reading = read(200, "RateLimit: " + field);
    assertThat(reading.signal().quota())
        .singleElement()
        .satisfies(hint -> assertHint(hint, "y", -1, 7, 8, 0));
    assertThat(reading.flags()).containsExactly(Flag.HINT_MALFORMED);
  }

  @Test
  void n8_a_policy_whose_numbers_are_no_integers_is_dropped_alone() {
    Reading reading = read(200, "RateLimit-Policy: \"x\";q=1.5;w=2, \"y\";q=7;w=8, \"z\";q=1;w=?1");
    assertThat(reading.signal().quota())
        .singleElement()
        .satisfies(hint -> assertHint(hint, "y", 7, -1, 0, 8));
    assertThat(reading.flags()).containsExactly(Flag.HINT_MALFORMED);
  }

  @Test
  void n8_at_most_16_items_and_one_kibibyte() {
    String items = "\"x\";r=1" + ",\"x\";r=1".repeat(15);
    assertThat(read(200, "RateLimit: " + items).signal().quota()).hasSize(16);
    assertThat(read(200, "RateLimit: " + items + ",\"x\";r=1").signal().quota()).isEmpty();
    String long1024 = "\"" + "x".repeat(1024 - 6) + "\";r=1";
    assertThat(read(200, "RateLimit: " + long1024).signal().quota()).hasSize(1);
    assertThat(read(200, "RateLimit: " + long1024 + "1").flags())
        .containsExactly(Flag.HINT_MALFORMED);
  }

  @Test
  void unknown_parameters_are_comments_and_units_are_read() {
    List<QuotaHint> hints =
        read(
                200,
                "RateLimit-Policy: \"a\";q=10;qu=\"content-bytes\";x=y,"
                    + " \"b\";q=10;qu=\"concurrent-requests\", \"c\";q=10;qu=\"widgets\","
                    + " \"d\";q=10;qu=\"requests\"")
            .signal()
            .quota();
    assertThat(hints)
        .extracting(hint -> hint.scope().unit())
        .containsExactly(Unit.BYTES, Unit.CONCURRENT, Unit.POINTS, Unit.REQUESTS);
  }

  @ParameterizedTest(name = "{0}RateLimit")
  @ValueSource(strings = {"Beta-", "X-Beta-"})
  void the_current_fields_are_known_by_their_trial_names_too(String prefix) {
    List<QuotaHint> hints =
        read(
                200,
                prefix + "RateLimit: \"jira-quota\";r=50;t=30",
                prefix + "RateLimit-Policy: \"jira-quota\";q=100;w=3600")
            .signal()
            .quota();
    assertThat(hints)
        .singleElement()
        .satisfies(hint -> assertHint(hint, "jira-quota", 100, 50, 30, 3600));
  }

  @Test
  void draft_07_is_one_dictionary() {
    List<QuotaHint> hints =
        read(
                200,
                "RateLimit: limit=100, remaining=50, reset=30",
                "RateLimit-Policy: 100;w=60, 1000;w=3600")
            .signal()
            .quota();
    assertThat(hints).hasSize(2);
    assertHint(hints.get(0), "", 100, 50, 30, 60);
    assertHint(hints.get(1), "", 1000, -1, 0, 3600);
  }

  @Test
  void drafts_03_to_06_are_a_triple_with_a_policy_beside_it() {
    List<QuotaHint> hints =
        read(
                200,
                "RateLimit-Limit: 100",
                "RateLimit-Remaining: 50",
                "RateLimit-Reset: 30",
                "RateLimit-Policy: 100;w=60")
            .signal()
            .quota();
    assertThat(hints).singleElement().satisfies(hint -> assertHint(hint, "", 100, 50, 30, 60));
  }

  @Test
  void drafts_up_to_02_append_the_policies_to_the_limit() {
    Reading reading =
        read(
            200,
            "RateLimit-Limit: 100, 100;w=60, 1000;w=3600",
            "RateLimit-Remaining: 50",
            "RateLimit-Reset: 30");
    List<QuotaHint> hints = reading.signal().quota();
    assertThat(hints).hasSize(2);
    assertHint(hints.get(0), "", 100, 50, 30, 60);
    assertHint(hints.get(1), "", 1000, -1, 0, 3600);
    assertThat(reading.flags()).isEmpty();
  }

  @Test
  void n8_fields_of_two_generations_share_their_policies_without_repeating_them() {
    List<QuotaHint> unnamed =
        read(
                200,
                "RateLimit: limit=100, remaining=50, reset=30",
                "RateLimit-Limit: 100",
                "RateLimit-Policy: 100;w=60, 1000;w=3600")
            .signal()
            .quota();
    assertThat(unnamed).hasSize(3);
    assertHint(unnamed.get(2), "", 100, -1, 0, 0);
    List<QuotaHint> named =
        read(200, "RateLimit-Limit: 100", "RateLimit-Policy: \"a\";q=5;w=1").signal().quota();
    assertThat(named).hasSize(2);
    assertHint(named.get(0), "a", 5, -1, 0, 1);
    assertHint(named.get(1), "", 100, -1, 0, 0);
  }

  @Test
  void a_throttle_takes_its_wait_from_the_item_that_is_used_up() {
    assertThat(read(429, "RateLimit: \"a\";r=0;t=30, \"b\";r=5;t=90").signal())
        .extracting("retryAfter")
        .isEqualTo(java.util.Optional.of(Duration.ofSeconds(30)));
  }

  /** -1: not told; 0 seconds: not told. */
  private static void assertHint(
      QuotaHint hint, String key, long limit, long remaining, long reset, long window) {
    assertThat(hint.scope().key()).isEqualTo(key);
    assertThat(hint.limit().orElse(-1)).isEqualTo(limit);
    assertThat(hint.remaining().orElse(-1)).isEqualTo(remaining);
    assertThat(hint.resetAfter().orElse(Duration.ZERO)).isEqualTo(Duration.ofSeconds(reset));
    assertThat(hint.windowSize().orElse(Duration.ZERO)).isEqualTo(Duration.ofSeconds(window));
  }
}

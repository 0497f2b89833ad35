package dev.sluice.simulator.provider;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AnnouncementTest {
  private static final Instant NOON = Instant.parse("2026-01-15T12:00:00Z");
  private static final long SECOND = SECONDS.toNanos(1);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RETRY_AFTER_TOO_SHORT          | 200",
        "RETRY_AFTER_IN_MILLISECONDS    | 400000",
        "RETRY_AFTER_IN_DECIMALS        | 400.0",
        "RETRY_AFTER_AS_DATE            | Thu, 15 Jan 2026 12:06:40 GMT",
        "RETRY_AFTER_WITH_WRONG_WEEKDAY | Wed, 15 Jan 2026 12:06:40 GMT",
        "RETRY_AFTER_ZERO               | 0",
        "RETRY_AFTER_NEGATIVE           | -1",
        "RETRY_AFTER_IN_WORDS           | soon",
        "LOCK_OUT                       | 400"
      })
  void a_throttle_tells_its_wait_in_its_own_way(Misbehaviour misbehaviour, String told) {
    assertThat(throttled("sliding:2/400s", QuotaHeaders.NONE, misbehaviour))
        .containsOnly(
            new Header("Date", "Thu, 15 Jan 2026 12:00:00 GMT"), new Header("Retry-After", told));
  }

  @Test
  void two_waits_contradict_each_other() {
    assertThat(throttled("sliding:2/400s", QuotaHeaders.NONE, Misbehaviour.RETRY_AFTER_TWICE))
        .containsSequence(new Header("Retry-After", "400"), new Header("Retry-After", "1200"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RESET_AS_EPOCH_SECONDS      | 1768478800",
        "RESET_AS_EPOCH_MILLISECONDS | 1768478800000",
        "RESET_IN_MILLISECONDS       | 400000",
        "RESET_AS_GO_DURATION        | 6m40s",
        "RESET_AS_RFC_3339           | 2026-01-15T12:06:40Z",
        "RESET_TO_THE_MINUTE         | 2026-01-15T12:06Z",
        "RESET_AS_HTTP_DATE          | Thu, 15 Jan 2026 12:06:40 GMT",
        "RESET_AS_JAVASCRIPT_DATE    "
            + "| Thu Jan 15 2026 13:06:40 GMT+0100 (Central European Standard Time)",
        "RESET_IN_THE_PAST           | 1768477800"
      })
  void a_reset_is_told_in_its_own_form(Misbehaviour misbehaviour, String told) {
    assertThat(throttled("sliding:2/400s", QuotaHeaders.NONE, misbehaviour))
        .contains(
            new Header("X-RateLimit-Limit", "2"),
            new Header("X-RateLimit-Remaining", "0"),
            new Header("X-RateLimit-Reset", told));
  }

  @ParameterizedTest
  @CsvSource({
    "REMAINING_WHILE_THROTTLED, 2, 1",
    "REMAINING_IN_FRACTIONS, 2, 0.0",
    "UNKNOWN_AS_MINUS_ONE, -1, -1",
    "LIMIT_PER_MINUTE, 12, 0"
  })
  void what_remains_is_told_wrongly(Misbehaviour misbehaviour, String limit, String remaining) {
    assertThat(throttled("sliding:2/10s", QuotaHeaders.NONE, misbehaviour))
        .contains(
            new Header("X-RateLimit-Limit", limit), new Header("X-RateLimit-Remaining", remaining));
  }

  @Test
  void well_behaved_headers_are_those_of_the_drafts() {
    assertThat(throttled("sliding:2/400s", QuotaHeaders.TRIPLE))
        .contains(
            new Header("RateLimit-Limit", "2"),
            new Header("RateLimit-Remaining", "0"),
            new Header("RateLimit-Reset", "400"));
    assertThat(throttled("sliding:2/400s", QuotaHeaders.LIST))
        .contains(
            new Header("RateLimit-Policy", "\"default\";q=2;w=400"),
            new Header("RateLimit", "\"default\";r=0;t=400"));
    assertThat(throttled("concurrent:2", QuotaHeaders.LIST))
        .contains(
            new Header("RateLimit-Policy", "\"default\";q=2;qu=\"concurrent-requests\""),
            new Header("RateLimit", "\"default\";r=0"));
  }

  @Test
  void headers_that_vanish_are_there_until_they_are_needed() {
    OpaqueService service = service("sliding:1/10s", Misbehaviour.HEADERS_VANISH);
    Announcement announcement = new Announcement(service, QuotaHeaders.NONE);
    assertThat(names(announcement.headers(service.arrive(0), 0, NOON)))
        .containsExactly("Date", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset");
    assertThat(names(announcement.headers(service.arrive(0), 0, NOON)))
        .containsExactly("Date", "Retry-After");
  }

  @Test
  void of_several_limits_the_roomiest_is_told() {
    assertThat(
            throttled(
                "sliding:2/10s,sliding:1000/1h",
                QuotaHeaders.TRIPLE,
                Misbehaviour.WRONG_LIMIT_TOLD))
        .contains(new Header("RateLimit-Limit", "1000"), new Header("RateLimit-Remaining", "998"));
    assertThat(throttled("sliding:2/10s,sliding:1000/1h", QuotaHeaders.TRIPLE))
        .contains(new Header("RateLimit-Limit", "2"), new Header("RateLimit-Remaining", "0"));
  }

  @Test
  void successes_can_tell_to_wait_no_time() {
    OpaqueService service = service("none", Misbehaviour.RETRY_AFTER_ON_SUCCESS);
    assertThat(new Announcement(service, QuotaHeaders.NONE).headers(service.arrive(0), 0, NOON))
        .contains(new Header("Retry-After", "0"));
  }

  @Test
  void a_clock_ahead_dates_everything_by_itself() {
    assertThat(
            throttled(
                "sliding:2/400s",
                QuotaHeaders.NONE,
                Misbehaviour.CLOCK_AHEAD,
                Misbehaviour.RETRY_AFTER_AS_DATE))
        .contains(
            new Header("Date", "Thu, 15 Jan 2026 12:07:00 GMT"),
            new Header("Retry-After", "Thu, 15 Jan 2026 12:13:40 GMT"));
  }

  @Test
  void every_fourth_success_is_a_copy_of_the_first() {
    OpaqueService service = service("sliding:100/1m", Misbehaviour.CACHED_ANSWERS);
    Announcement announcement = new Announcement(service, QuotaHeaders.NONE);
    for (int i = 1; i <= 8; i++) {
      long now = i * SECOND;
      List<Header> headers = announcement.headers(service.arrive(now), now, NOON.plusNanos(now));
      if (i % 4 == 0) {
        assertThat(headers)
            .contains(
                new Header("Age", Integer.toString(i - 1)),
                new Header("X-RateLimit-Remaining", "99"));
      } else {
        assertThat(names(headers)).doesNotContain("Age");
        assertThat(headers)
            .contains(new Header("X-RateLimit-Remaining", Integer.toString(100 - i)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void every_misbehaviour_has_a_key_and_a_meaning(Misbehaviour each) {
    assertThat(each.key()).matches("[a-z0-9]+(-[a-z0-9]+)*");
    assertThat(each.meaning()).hasSizeBetween(10, 80).doesNotEndWith(".");
    assertThat(Misbehaviour.named(each.key())).contains(each);
    assertThat(Misbehaviour.named(" " + each.name() + " ")).contains(each);
  }

  @Test
  void all_misbehaviours_at_once_still_make_headers() {
    assertThat(throttled("sliding:2/10s,concurrent:5", QuotaHeaders.LIST, Misbehaviour.values()))
        .isNotEmpty();
  }

  /** What the third request of a service is told that allows two. */
  private static List<Header> throttled(
      String limit, QuotaHeaders style, Misbehaviour... misbehaviours) {
    OpaqueService service = service(limit, misbehaviours);
    Announcement announcement = new Announcement(service, style);
    for (int i = 0; i < 2; i++) {
      Verdict verdict = service.arrive(0);
      assertThat(verdict.admitted()).isTrue();
      List<Header> unused = announcement.headers(verdict, 0, NOON);
    }
    Verdict verdict = service.arrive(0);
    assertThat(verdict.admitted()).isFalse();
    return announcement.headers(verdict, 0, NOON);
  }

  private static OpaqueService service(String limit, Misbehaviour... misbehaviours) {
    Set<Misbehaviour> set = EnumSet.noneOf(Misbehaviour.class);
    set.addAll(Arrays.asList(misbehaviours));
    return new OpaqueService(OpaqueServiceTest.limited(limit).withMisbehaviours(set), 1, 0);
  }

  private static List<String> names(List<Header> headers) {
    return headers.stream().map(Header::name).toList();
  }
}

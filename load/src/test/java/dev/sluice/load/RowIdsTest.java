package dev.sluice.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RowIdsTest {
  private static final long START = 0x019b_0123_4567L;

  @Test
  void an_id_is_a_uuid_of_version_7_with_time_nonce_and_row() {
    UUID id = new RowIds(START, 0x3_ffff_ffffL).id(0xab_cdef_0123L);
    assertThat(id).hasToString("019b0123-4567-7fff-bfff-ffabcdef0123");
    assertThat(id.version()).isEqualTo(7);
    assertThat(id.variant()).isEqualTo(2);
    assertThat(new RowIds(START, 1).id(1)).hasToString("019b0123-4567-7000-8000-010000000001");
    assertThat(new RowIds(START, 1L << 22).id(0))
        .hasToString("019b0123-4567-7001-8000-000000000000");
  }

  @Test
  void ids_are_derived_again_from_what_is_stored() {
    RowIds ids = RowIds.starting(START, new SplittableRandom(1));
    assertThat(new RowIds(ids.startMillis(), ids.nonce()).id(7)).isEqualTo(ids.id(7));
  }

  @Test
  void no_two_rows_of_two_runs_of_one_millisecond_share_an_id() {
    SplittableRandom random = new SplittableRandom(2);
    RowIds one = RowIds.starting(START, random);
    RowIds other = RowIds.starting(START, random);
    Set<UUID> seen = new HashSet<>();
    for (long row = 0; row < 10_000; row++) {
      assertThat(seen.add(one.id(row)) && seen.add(other.id(row))).isTrue();
    }
  }

  @Test
  void what_does_not_fit_is_refused() {
    assertThatThrownBy(() -> new RowIds(-1, 0)).hasMessageContaining("startMillis is -1");
    assertThatThrownBy(() -> new RowIds(1L << 48, 0)).hasMessageContaining("startMillis is");
    assertThatThrownBy(() -> new RowIds(0, 1L << 34)).hasMessageContaining("nonce is 17179869184");
    assertThatThrownBy(() -> new RowIds(0, 0).id(1L << 40)).hasMessageContaining("row is");
    assertThatThrownBy(() -> new RowIds(0, 0).id(-1)).hasMessageContaining("row is -1");
  }
}

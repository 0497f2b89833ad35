package dev.sluice.runs.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HolderTest {
  private final Holder self = Holder.self();

  @Test
  void this_process_is_not_dead() {
    assertThat(self.isProvablyDead()).isFalse();
    assertThat(Holder.self()).isEqualTo(self);
  }

  @Test
  void a_process_that_has_ended_is_dead() throws IOException, InterruptedException {
    Process child = new ProcessBuilder("true").start();
    assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(new Holder(self.machine(), child.pid(), "", self.host()).isProvablyDead()).isTrue();
  }

  @Test
  void a_number_that_another_process_has_now_does_not_keep_its_predecessor_alive() {
    assertThat(new Holder(self.machine(), self.pid(), "1", self.host()).isProvablyDead()).isTrue();
  }

  @Test
  void a_process_of_another_machine_or_container_is_never_provably_dead() {
    assertThat(new Holder("elsewhere", 999_999_999, "1", "elsewhere").isProvablyDead()).isFalse();
  }

  @Test
  void a_process_of_unknown_birth_is_alive_as_long_as_its_number_is() {
    assertThat(new Holder(self.machine(), self.pid(), "", self.host()).isProvablyDead()).isFalse();
  }

  @Test
  void it_survives_being_stored_and_is_readable_for_people() {
    assertThat(Holder.decoded(self.encoded())).isEqualTo(self);
    assertThat(self).hasToString("process " + self.pid() + " on " + self.host());
    assertThatThrownBy(() -> new Holder("a\nb", 1, "", ""))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

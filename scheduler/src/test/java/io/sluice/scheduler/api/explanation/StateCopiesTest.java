// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.scheduler.api.ProblemException;
import org.junit.jupiter.api.Test;

class StateCopiesTest {
  private static final long HEAP_BYTES = 512L << 20;

  @Test
  void copiesThatTheHeapHasNoRoomForAreRefusedWithBothNumbers() {
    assertThatCode(() -> StateCopies.checkSize("preview", 3, 100_000, HEAP_BYTES))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> StateCopies.checkSize("preview", 3, 1_000_000, HEAP_BYTES))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("1000000 jobs")
        .hasMessageContaining("heap of 536870912 bytes copies 178956");
  }
}

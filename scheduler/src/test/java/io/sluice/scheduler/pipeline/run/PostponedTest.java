// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PostponedTest {
  private static final UUID RUN = new UUID(0, 1);
  private static final UUID OTHER = new UUID(0, 2);

  /** The clock may stand anywhere, below zero too. */
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

  private final Postponed<UUID> aside = new Postponed<>(clock::get);

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  @Test
  void aRunThatFailsIsLeftAloneForTwiceAsLongEachTimeUpToAMinute() {
    for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      aside.failed(RUN);
      pass(Duration.ofSeconds(seconds).minusNanos(1));
      assertThat(aside.now()).as("before %d s", seconds).containsExactly(RUN);
      pass(Duration.ofNanos(1));
      assertThat(aside.now()).as("after %d s", seconds).isEmpty();
    }
  }

  @Test
  void whatWasTakenFurtherBeginsWithAShortPauseAgain() {
    aside.failed(RUN);
    aside.failed(RUN);
    aside.failed(OTHER);
    assertThat(aside.now()).containsExactly(RUN, OTHER);
    aside.succeeded(List.of(RUN));
    assertThat(aside.now()).containsExactly(OTHER);
    aside.failed(RUN);
    pass(Duration.ofSeconds(1));
    assertThat(aside.now()).isEmpty();
  }

  @Test
  void whatNobodyTriesAgainIsForgotten() {
    aside.failed(RUN);
    aside.failed(RUN);
    pass(Duration.ofMinutes(2));
    assertThat(aside.now()).isEmpty();
    aside.failed(RUN);
    pass(Duration.ofSeconds(1));
    assertThat(aside.now()).as("as if it failed for the first time").isEmpty();
  }
}

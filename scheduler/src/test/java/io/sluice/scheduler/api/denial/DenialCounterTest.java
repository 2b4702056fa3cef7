// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.denial;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.api.denial.DenialCounter.Denials;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.security.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A caller that is denied has one record a minute, whatever it asks for. */
class DenialCounterTest {
  private static final Instant START = Instant.parse("2026-05-01T00:00:00Z");
  private static final Caller ANN = new Caller("ann", Role.VIEWER, NamespaceScope.ALL);
  private static final Caller BOB = new Caller("bob", Role.VIEWER, NamespaceScope.ALL);

  private final DenialCounter counter = new DenialCounter();

  @Test
  void theFirstDenialIsRecordedAtOnceAndLaterOnesOnceAMinute() {
    counter.add(ANN, "POST /v1/jobs", "no", START);
    assertThat(counter.take(START.plusSeconds(2), false))
        .containsExactly(new Denials(ANN, 1, START, "POST /v1/jobs", "no"));
    for (int second = 3; second < 60; second++) {
      counter.add(ANN, "POST /v1/jobs/" + second, "no", START.plusSeconds(second));
      assertThat(counter.take(START.plusSeconds(second), false)).isEmpty();
    }
    assertThat(counter.take(START.plusSeconds(62), false))
        .containsExactly(new Denials(ANN, 57, START.plusSeconds(3), "POST /v1/jobs/3", "no"));
    assertThat(counter.take(START.plusSeconds(64), false)).isEmpty();
  }

  @Test
  void callersAreCountedEachByItself() {
    counter.add(ANN, "GET /v1/audit", "no", START);
    counter.add(BOB, "GET /v1/audit", "no", START);
    assertThat(counter.take(START, false)).extracting(Denials::caller).containsExactly(ANN, BOB);
  }

  @Test
  void atTheEndEverythingIsTaken() {
    counter.add(ANN, "GET /v1/audit", "no", START);
    assertThat(counter.take(START, false)).hasSize(1);
    counter.add(ANN, "GET /v1/audit", "no", START);
    assertThat(counter.take(START, true)).extracting(Denials::count).containsExactly(1L);
  }

  @Test
  void noMoreCallersAreCountedThanThereIsRoomFor() {
    for (int number = 0; number <= DenialCounter.CALLERS_MAX; number++) {
      Caller caller = new Caller("caller-" + number, Role.VIEWER, NamespaceScope.NONE);
      counter.add(caller, "GET /v1/audit", "no", START);
    }
    assertThat(counter.take(START, false)).hasSize(DenialCounter.CALLERS_MAX);
    Instant later = START.plus(Duration.ofMinutes(2));
    assertThat(counter.take(later, false)).isEqualTo(List.of());
    counter.add(ANN, "GET /v1/audit", "no", later);
    assertThat(counter.take(later, false)).hasSize(1);
  }
}

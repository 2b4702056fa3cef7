// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.job.JobFilter;
import io.sluice.scheduler.store.job.JobOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cursors of lists of jobs. */
class JobCursorTest {
  private static final JobFilter.Cursor PLACE =
      new JobFilter.Cursor(
          Instant.parse("2026-11-21T15:09:29.123456Z"),
          JobId.parse("01a1fe82-ec8c-7558-9519-fea5e4e9343b"));

  @ParameterizedTest
  @EnumSource(JobOrder.class)
  void aCursorIsReadInItsOrder(JobOrder order) {
    assertThat(Pages.readJobs(Pages.write(PLACE, order), order)).isEqualTo(PLACE);
    assertThat(Pages.readJobs(null, order)).isNull();
  }

  @Test
  void aCursorOfTheOtherOrderIsRefused() {
    assertThatThrownBy(() -> Pages.readJobs(Pages.write(PLACE, JobOrder.NEWEST), JobOrder.OLDEST))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("order=newest, this one has order=oldest");
    assertThatThrownBy(() -> Pages.readJobs(Pages.write(PLACE, JobOrder.OLDEST), JobOrder.NEWEST))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("order=oldest, this one has order=newest");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026-11-21T15:09:29Z",
        "2026-11-21T15:09:29Z x",
        "2026-11-21T15:09:29Z 01a1fe82-ec8c-7558-9519-fea5e4e9343b NEWEST",
        "2026-11-21T15:09:29Z 01a1fe82-ec8c-7558-9519-fea5e4e9343b OLDEST x",
      })
  void otherTextIsNoCursor(String text) {
    String cursor = Base64.getUrlEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    for (JobOrder order : JobOrder.values()) {
      assertThatThrownBy(() -> Pages.readJobs(cursor, order))
          .isInstanceOf(ProblemException.class)
          .hasMessageContaining("was not made by this server");
    }
  }
}
